import { styleText } from 'node:util';

const RULE = '─'.repeat(72);

export function heading(text) {
  console.log(`\n${styleText('bold', text)}\n${styleText('dim', RULE)}`);
}

export function line(label, value) {
  console.log(`  ${styleText('dim', label.padEnd(28))} ${value}`);
}

export const good = (text) => styleText('green', text);
export const bad = (text) => styleText('red', text);

export function showProfile(profile) {
  heading(`One person: ${profile.traits.name}`);
  line('userId', profile.userId);
  line('was the visitor', profile.anonymousIds.join(', '));
  for (const [name, value] of Object.entries(profile.traits)) line(name, value);
  if (profile.groups.length > 0) line('groups', profile.groups.join(', '));
  line('segments', profile.segments.map(({ name }) => name).join(', ') || 'none');
  line('events', String(profile.eventCount));
  for (const event of profile.events.toReversed()) {
    const who = event.userId ?? event.anonymousId;
    console.log(
      `    ${event.timestamp.slice(11, 19)}  ${event.type.padEnd(8)} ${event.event.padEnd(16)} ${styleText('dim', who)}`,
    );
  }
}
