const DESCRIPTIONS = {
  'x-request-id': 'The same as `meta.requestId`.',
  'www-authenticate': '`Bearer`, and the scope that the key lacks.',
  'retry-after': 'Seconds until the next request is allowed.',
  ratelimit: 'The remaining quota: `"default";r=50;t=30`.',
  'ratelimit-policy': 'The quota of the key: `"default";q=100;w=60`.',
  'api-version': 'The date of the interface under `/v1`.',
  etag: 'The version of the resource: `"v3"`.',
  location: 'The address of the created resource.',
  link: 'The next page, if there is one: `</v1/…?cursor=…>; rel="next"`.',
  'idempotent-replayed': '`true` for a repeated response; `x-request-id` is then that of the first request.',
  'content-disposition': 'The name of the file.',
} as const

export type HeaderName = keyof typeof DESCRIPTIONS

export const RATE_HEADERS = ['ratelimit', 'ratelimit-policy'] as const satisfies readonly HeaderName[]

export function documentHeaders(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

export function headerReferences(...names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
