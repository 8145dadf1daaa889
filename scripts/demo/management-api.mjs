/** The few calls of the Management API that the demo and the benchmarks need. */
export function managementApi(url, token) {
  return {
    post: (path, body) => call(url, token, path, { method: 'POST', body: JSON.stringify(body) }),
    put: (path, body) => call(url, token, path, { method: 'PUT', body: JSON.stringify(body) }),
    get: (path) => call(url, token, path, {}),
  };
}

async function call(url, token, path, options) {
  const answer = await fetch(`${url}${path}`, {
    ...options,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  if (!answer.ok)
    throw new Error(`${options.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
