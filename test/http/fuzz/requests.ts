import fc from 'fast-check'
import type { FuzzParameter, Route } from './document.ts'
import { spoilt, valueOf, type ValueSources } from './values.ts'

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Requests to an operation: valid ones, nearly valid ones, and such as are nothing of the kind. */
export function requestOf(route: Route, sources: ValueSources): fc.Arbitrary<FuzzRequest> {
  const { method, parameters = [], path } = route
  const ofPlace = (place: FuzzParameter['in']) => parameters.filter((parameter) => parameter.in === place)
  return fc
    .record({
      path: addressOf(path, ofPlace('path'), sources),
      query: queryOf(ofPlace('query'), sources),
      body: bodyOf(route, sources),
      own: ownHeaders(ofPlace('header')),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant('application/json') },
        fc.constantFrom(
          'application/json; charset=utf-8',
          'text/plain',
          'application/json; charset=latin1',
          'x',
        ),
      ),
    })
    .map(({ body, own, path: address, query, type }) => ({
      method,
      url: query === '' ? address : `${address}?${query}`,
      headers: { ...(body !== undefined && { 'content-type': type }), ...own },
      body,
    }))
}

function addressOf(
  path: string,
  parameters: readonly FuzzParameter[],
  sources: ValueSources,
): fc.Arbitrary<string> {
  const values = parameters.map(({ name }) => {
    const known = sources.known[name] ?? []
    const junk = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((text) => !/^\.{1,2}$/.test(text))
    const ids = known.length === 0 ? [] : [{ weight: 8, arbitrary: fc.constantFrom(...known) }]
    return fc.oneof(...ids, junk, fc.constantFrom('unit_0', '%', '..%2f..', "'; --", 'a.b.c', '"'))
  })
  return fc.tuple(...values).map((given) =>
    parameters.reduce(
      // A value that has "$" in it is no pattern.
      (address, { name }, index) =>
        address.replace(`{${name}}`, () => encodeURIComponent(given[index] ?? '')),
      path,
    ),
  )
}

function queryOf(parameters: readonly FuzzParameter[], sources: ValueSources): fc.Arbitrary<string> {
  const given = parameters.map(({ name, schema }) =>
    fc.option(
      fc.oneof(
        { weight: 9, arbitrary: valueOf(schema, sources, name).map(String) },
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      ),
      { nil: undefined, freq: 2 },
    ),
  )
  const stray = fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    fc.tuple(fc.constantFrom('x', 'limit', '__proto__', ''), fc.string()),
  )
  return fc.tuple(stray, ...given).map(([more, ...values]) => {
    const query = new URLSearchParams()
    for (const [index, value] of values.entries()) {
      if (value !== undefined) query.append(parameters[index]?.name ?? '', value)
    }
    if (more) query.append(...more)
    return query.toString()
  })
}

function bodyOf({ requestBody }: Route, sources: ValueSources): fc.Arbitrary<string | undefined> {
  const schema = requestBody?.content['application/json']?.schema
  const broken = fc.oneof(fc.constantFrom('', '{', 'null', '[]', '\u0000', '{"a":1,"a":2}'), fc.string())
  if (!schema) return fc.oneof({ weight: 10, arbitrary: fc.constant(undefined) }, broken)
  const valid = valueOf(schema, sources)
  return fc.oneof(
    { weight: 10, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: valid.chain(spoilt).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: broken },
  )
}

/** Headers that the operation documents, and now and then a key that is none. */
function ownHeaders(parameters: readonly FuzzParameter[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const text = fc.oneof(
    fc.constantFrom('"v1"', '"v2"', '*', 'W/"v1"', 'again'),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 }).map((value) => value.trim()),
  )
  const given = Object.fromEntries(parameters.map(({ name }) => [name.toLowerCase(), text]))
  const sometimes = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    fc.record(given, { requiredKeys: [] }),
  )
  const key = fc.oneof(
    { weight: 30, arbitrary: fc.constant({}) },
    fc.constantFrom({ authorization: 'Bearer x' }, { authorization: '' }, { authorization: 'Basic eDp5' }),
  )
  return fc.tuple(sometimes, key).map(([own, other]) => ({ ...own, ...other }))
}
