/** Has the database hold so many profiles and no segments; those that an earlier run has made are used again. */
export async function fillProfiles(query, count) {
  await query('truncate segment, segment_task, segment_member, segment_member_count');
  const [{ present }] = await query('select count(*)::integer as present from profile');
  if (present === count) return;
  await query('truncate profile');
  await query(`
    insert into profile (subject, traits, groups, event_count, event_totals, first_seen_at, last_seen_at)
    select 'u:' || md5(n::text), jsonb_build_object(
        'plan', (array['free', 'free', 'free', 'free', 'free', 'free', 'free', 'free', 'free', 'pro'])[1 + n % 10],
        'score', n % 1000, 'email', 'user-' || n || '@example.com', 'country', (array['de', 'fr', 'us'])[1 + n % 3],
        'address', jsonb_build_object('city', 'City ' || n % 500)),
      array['group ' || n % 50], n % 100,
      jsonb_build_object('Order', jsonb_build_object('count', n % 7, 'first', 0, 'last', 0)),
      now() - make_interval(days => n % 300 + 30), now() - make_interval(days => n % 30)
    from generate_series(1, ${count}) n`);
  await query('vacuum analyze profile');
}
