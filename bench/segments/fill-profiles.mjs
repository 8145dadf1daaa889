// Many profiles, made in the database.
export async function fillProfiles(query, count) {
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
