/** What a thing was called by its entry. Versions that kept no name of its own have it in what was before and after. */
export const nameInEntrySql = `coalesce(resource_name, after ->> 'name', before ->> 'name')`;
