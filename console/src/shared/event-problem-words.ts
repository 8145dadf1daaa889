/** The ways an event can be wrong, by their codes; the answer to whoever sent it says the same at more length. */
const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['not_an_object', 'An event is a JSON object.'],
  ['missing_type', 'It does not say of which type it is.'],
  ['unknown_type', 'There is no such type of events.'],
  ['missing_message_id', 'It needs a messageId, so that it does not count twice when it is sent again.'],
  ['invalid_message_id', 'This is no text, or empty, or too long.'],
  ['missing_timestamp', 'It does not say when it happened.'],
  ['invalid_timestamp', 'This is no time as ISO 8601 has it, such as 2026-01-31T12:00:00.000Z.'],
  ['missing_event_name', 'A track event needs its name.'],
  ['invalid_event_name', 'The name is no text, or too long.'],
  ['missing_identity', 'It needs a userId or an anonymousId.'],
  ['missing_user_id', 'An alias event needs a userId.'],
  ['missing_group_id', 'A group event needs a groupId.'],
  ['missing_previous_id', 'An alias event needs a previousId.'],
  ['invalid_id', 'The id is no text, or empty, or too long.'],
  ['invalid_name', 'The name is no text, or too long.'],
  ['invalid_category', 'The category is no text, or too long.'],
  ['invalid_properties', 'Properties are a JSON object.'],
  ['invalid_traits', 'Traits are a JSON object.'],
  ['invalid_context', 'The context is a JSON object.'],
  ['event_too_large', 'It has more bytes than an event may have.'],
  ['event_too_deep', 'Its objects and arrays are nested too deeply.'],
  ['event_not_storable', 'The store refused it, which should not be: please report it.'],
  ['no_transformation', 'Nobody has said yet what it means.'],
  ['transformation_failed', 'The transformation of its source failed.'],
  ['processing_failed', 'Workers ended while they were at it.'],
  ['source_deleted', 'Its source was deleted.'],
  ['schema_violation', 'It is not as its tracking plan says.'],
  ['unplanned_event', 'Its tracking plan has no rule for it.'],
  ['unplanned_property', 'Its tracking plan does not name this member.'],
]);

/** What is wrong with an event, in a sentence; a code that is newer than the page is shown as it is. */
export function eventProblemWords(code: string): string {
  return PROBLEMS.get(code) ?? code;
}
