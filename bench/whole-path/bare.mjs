// The least that the whole path can cost in this runtime, with the same PostgreSQL, generator and receiver: a script
// that stores each event in one table, answers, posts it with a signature and marks it. It knows no people, segments,
// duplicates, retries or other processes, and loses nothing that it has answered only as long as it lives.
// Options come as one JSON argument; the port it listens on is sent to the parent.
import { createHmac } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';

const { databaseUrl, receiverUrl, secret } = JSON.parse(process.argv[2]);
const INSERT = {
  name: 'insert_events',
  text: 'insert into bare_event (id, payload) select * from unnest($1::uuid[], $2::json[])',
};
const MARK = { name: 'mark_events', text: 'update bare_event set delivered_at = now() where id = any($1)' };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const target = new URL(receiverUrl);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });

await pool.query('drop table if exists bare_event');
await pool.query(
  'create table bare_event (id uuid primary key, payload json not null, delivered_at timestamptz)',
);
const server = createServer((incoming, response) => {
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => void take(JSON.parse(Buffer.concat(chunks).toString()).batch, response));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

async function take(batch, response) {
  const events = batch.map((event) => ({ id: uuidv7(), body: JSON.stringify(event) }));
  const ids = events.map(({ id }) => id);
  await pool.query({ ...INSERT, values: [ids, events.map(({ body }) => body)] });
  const answer = JSON.stringify({ accepted: events.length });
  response.writeHead(200, { 'Content-Length': answer.length }).end(answer);
  await Promise.all(events.map(post));
  await pool.query({ ...MARK, values: [ids] });
}

function post({ id, body }) {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((resolve, reject) => {
    request(target, { method: 'POST', agent, headers }, (answer) => answer.resume().once('end', resolve))
      .once('error', reject)
      .end(body);
  });
}
