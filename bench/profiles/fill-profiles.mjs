// Many profiles, for scale.mjs.

/** Makes the profiles `u:p0` and so on that are missing. The key is built at the end when there were none. */
export async function measure({ query }, { profiles }) {
  const [{ existing }] = await query(
    `select count(*)::int as existing from profile where subject like 'u:p%'`,
  );
  if (existing >= profiles) return;
  const startedAt = Date.now();
  const [{ others }] = await query('select exists (select from profile) as others');
  if (!others) await query('alter table profile drop constraint profile_pk');
  const middle = Math.floor((existing + profiles) / 2);
  await Promise.all([insert(query, existing, middle), insert(query, middle, profiles)]);
  if (!others) {
    await query(
      `set maintenance_work_mem = '512MB'; alter table profile add constraint profile_pk primary key (subject)`,
    );
  }
  await query('vacuum analyze profile');
  console.log(`${profiles} profiles made in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

function insert(query, from, to) {
  return query(`
    insert into profile (subject, traits, trait_clocks, event_count, event_totals, first_seen_at, last_seen_at)
    select 'u:p' || n,
      jsonb_build_object('email', n || '@example.com', 'plan', 'pro', 'seats', n % 10, 'name', 'Person ' || n),
      jsonb_build_object('email', '0', 'plan', '0', 'seats', '0', 'name', '0'), 10,
      '{"Order Completed": {"count": 10, "first": 1795000000000, "last": 1795000000000}}',
      now() - interval '30 days', now() - interval '1 day'
    from generate_series(${from}, ${to - 1}) as n`);
}
