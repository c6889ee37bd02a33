// Writes the part of the Python client that follows from the OpenAPI document: `stagecraft_client/http`.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocument } from '@stagecraft/http'
import { repositoryPath } from '../../test/paths.ts'

const GENERATOR = repositoryPath('.venvs/python-client/bin/openapi-python-client')
const OUTPUT = repositoryPath('clients/python/stagecraft_client/http')

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Files and streams are given as bytes, for which the generator knows one type. */
const BYTES = new Set(['application/zip', 'application/jsonl', 'text/event-stream'])

/** Puts what the generator cannot read in a form that it can, with the same meaning for a client. */
function toReadable(value: Json): Json {
  if (Array.isArray(value)) return value.map(toReadable)
  if (typeof value !== 'object' || value === null) return value
  const { items, prefixItems, ...rest } = value as Readonly<Record<string, Json>>
  // a list of a fixed length, whose items are alike
  if (items === false && Array.isArray(prefixItems)) {
    const [item = {}] = prefixItems as readonly Json[]
    return { ...(toReadable(rest) as object), items: toReadable(item) }
  }
  return Object.fromEntries(
    Object.entries('operationId' in value ? withoutFailures(value) : value).map(([key, one]) =>
      BYTES.has(key) ? ['application/octet-stream', BINARY] : [key, toReadable(one)],
    ),
  )
}

/** Failures are raised by the transport, so no operation returns one. */
function withoutFailures(operation: object): Readonly<Record<string, Json>> {
  const { responses, ...rest } = operation as { readonly responses: Readonly<Record<string, Json>> }
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
  return { ...rest, responses: Object.fromEntries(answers) }
}

const BINARY = { schema: { type: 'string', format: 'binary' } }

interface Described {
  readonly parameters?: readonly { readonly name: string }[]
}

/** The paths whose POST takes an Idempotency-Key, and may thus be sent twice. */
function pathsOfCreations(paths: object): readonly string[] {
  return Object.entries(paths as Readonly<Record<string, { readonly post?: Described }>>).flatMap(
    ([path, { post }]) =>
      post?.parameters?.some(({ name }) => name.toLowerCase() === 'idempotency-key') ? path : [],
  )
}

/** `sync` and `asyncio`: their signature, their docstring, and the call whose answer they return. */
const SHORT_FORMS =
  /^((?:async )?def (?:sync|asyncio)\((?:(?!^\) -> )[^])*^\) -> )(.+) \| None:\n((?:(?!^ {4}return )[^])*)^ {4}return ([^]*?\n {4}\)+\.parsed)$/gm

/** Says that an operation answers: the client raises what is no documented answer, so that `None` is left for 304 alone. */
function withAnswers(module: string): string {
  return module.replaceAll(SHORT_FORMS, '$1$2:\n$3    return cast("$2", $4)')
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-python-'))
try {
  const document = createDocument({ api: true, metrics: true })
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(toReadable(document as unknown as Json)))
  rmSync(OUTPUT, { recursive: true, force: true })
  const config = repositoryPath('clients/python/generator.yaml')
  execFileSync(
    GENERATOR,
    ['generate', '--path', file, '--meta', 'none', '--output-path', OUTPUT, '--config', config],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  for (const path of globSync('api/*/*.py', { cwd: OUTPUT })) {
    const module = readFileSync(join(OUTPUT, path), 'utf8')
    const answering = withAnswers(module)
    if (/^\) -> .* \| None:\n {4}"/m.test(answering)) throw new Error(`${path} has a form that is not known`)
    writeFileSync(join(OUTPUT, path), answering)
  }
  const creations = pathsOfCreations(document.paths).map((path) => `    ${JSON.stringify(path)},\n`)
  writeFileSync(
    join(OUTPUT, 'creations.py'),
    `"""Paths whose POST may be sent twice, with an Idempotency-Key."""\n\nCREATIONS = [\n${creations.join('')}]\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
