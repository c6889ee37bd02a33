// Writes the part of the Python client that is generated from the OpenAPI document: `stagecraft_client/http`.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocument } from '@stagecraft/http'
import { API_OPERATIONS, type Operation } from '@stagecraft/spec/api'
import { repositoryPath } from '../../test/paths.ts'

const VENV = repositoryPath('.venvs/python-client')
const GENERATOR = join(VENV, 'bin/openapi-python-client')
const OUTPUT = repositoryPath('clients/python/stagecraft_client/http')

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Files and streams are returned as bytes; the generator knows one media type for them. */
const BYTES = new Set(['application/zip', 'application/jsonl', 'text/event-stream'])

/** Rewrites parts that the generator cannot read, with the same meaning for a client. */
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

/** Operations with a response that never ends: a call that reads all of it would not return. */
const ENDLESS = new Set(
  Object.entries<Operation>(API_OPERATIONS).flatMap(([id, { lastEvents, message }]) =>
    message && !lastEvents ? id : [],
  ),
)

type Paths = ReturnType<typeof createDocument>['paths']

function withoutEndless(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).filter(([, { operationId }]) => !ENDLESS.has(String(operationId))),
      ),
    ]),
  )
}

/** Gives the responses of an operation with two statuses one name, so that they become one class. */
function withNamedAnswers({ components, paths, ...rest }: ReturnType<typeof createDocument>): object {
  const schemas: Record<string, unknown> = { ...components.schemas }
  const named = structuredClone(withoutEndless(paths))
  for (const { operationId, responses } of Object.values(named).flatMap((methods) =>
    Object.values(methods),
  )) {
    const media = Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith('20') && content?.['application/json'] ? content['application/json'] : [],
    )
    if (media.length < 2) continue
    const name = `${String(operationId).replace(/^./, (letter) => letter.toUpperCase())}Answer`
    schemas[name] = media[0]?.schema
    for (const one of media) Object.assign(one, { schema: { $ref: `#/components/schemas/${name}` } })
  }
  return { ...rest, paths: named, components: { ...components, schemas } }
}

const BINARY = { schema: { type: 'string', format: 'binary' } }

interface Described {
  readonly parameters?: readonly { readonly name: string }[]
}

/** Returns the paths whose POST takes an Idempotency-Key, and so may be sent twice. */
function pathsOfCreations(paths: object): readonly string[] {
  return Object.entries(paths as Readonly<Record<string, { readonly post?: Described }>>).flatMap(
    ([path, { post }]) =>
      post?.parameters?.some(({ name }) => name.toLowerCase() === 'idempotency-key') ? path : [],
  )
}

/** `sync` and `asyncio`: their signature, their docstring, and the call that returns their result. */
const SHORT_FORMS =
  /^((?:async )?def (?:sync|asyncio)\((?:(?!^\) -> )[^])*^\) -> )(.+) \| None:\n((?:(?!^ {4}return )[^])*)^ {4}return ([^]*?\n {4}\)+\.parsed)$/gm

/** The documented errors of the generator's own transport. */
const RAISES = /^ {4}Raises:\n(?: {8}.+\n)+/gm

/**
 * States that an operation always returns a result, and which errors it raises. The client raises an error for any
 * response that is not documented, so only 304 returns `None`.
 */
function withAnswers(module: string): string {
  return module
    .replaceAll(SHORT_FORMS, '$1$2:\n$3    return cast("$2", $4)')
    .replaceAll(
      RAISES,
      '    Raises:\n        stagecraft_client.StagecraftError: A failure that the service returned, or no response.\n',
    )
}

/** Installs the generator if it is missing, in the version that the tests use. */
function installGenerator(): void {
  if (existsSync(GENERATOR)) return
  const output = ['ignore', 'ignore', 'inherit'] as const
  process.stderr.write('installing the generator into .venvs/python-client\n')
  try {
    execFileSync('python3', ['-m', 'venv', VENV], { stdio: [...output] })
    const requirements = repositoryPath('clients/python/build-requirements.txt')
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
    execFileSync(join(VENV, 'bin/pip'), pip, { stdio: [...output] })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    process.stderr.write(`expected Python 3.11 or newer with venv, and a package index: ${reason}\n`)
    process.exit(1)
  }
  writeFileSync(join(VENV, 'done'), '')
}

installGenerator()
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-python-'))
try {
  const document = createDocument({ api: true, metrics: true })
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(toReadable(withNamedAnswers(document) as Json)))
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
    if (/^\) -> .* \| None:\n {4}"/m.test(answering)) throw new Error(`${path} has an unknown form`)
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
