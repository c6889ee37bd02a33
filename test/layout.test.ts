import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DIALECT_NAMES } from '@stagecraft/spec/names'
import { expect, test } from 'vitest'
import { repositoryPath } from './paths.ts'

/** What each package may import besides its own files and, outside core, dialects, spec and client, Node. */
const ALLOWED: Readonly<Record<string, readonly RegExp[]>> = {
  spec: [/^zod$/],
  dialects: [/^@stagecraft\/spec$/],
  core: [
    /^@stagecraft\/(?:spec(?:\/validate)?|dialects|templates)$/,
    /^(?:nunjucks|p-limit|pluralize|yaml)$/,
    /^(?:node-sql-parser\/build\/|@polyglot-sql\/sdk$)/,
  ],
  catalogs: [
    /^@stagecraft\/(?:spec(?:\/validate)?|dialects)$/,
    /^(?:yaml|csv-parse(?:\/sync)?|aws4fetch|@aws-sdk\/credential-provider-node|pg|mysql2(?:\/promise)?|@duckdb\/node-api)$/,
    /^node:/,
  ],
  analysis: [
    /^@stagecraft\/(?:spec|dialects|core(?:\/run)?|dbt)$/,
    /^(?:yaml|@polyglot-sql\/sdk)$/,
    /^node:/,
  ],
  assistant: [
    /^@stagecraft\/(?:spec(?:\/(?:explanations|redact-secrets|validate|zod))?|core\/run|dbt|analysis)$/,
    /^(?:@modelcontextprotocol\/server(?:\/stdio)?)$/,
    /^node:/,
  ],
  dashboard: [/^node:/],
  dbt: [/^@stagecraft\/(?:spec|dialects|core(?:\/run)?)$/, /^(?:diff|node-diff3|yaml)$/, /^node:/],
  demo: [/^@stagecraft\/spec$/, /^@duckdb\/node-api$/, /^node:/],
  llm: [/^@stagecraft\/spec$/, /^(?:@anthropic-ai\/sdk|openai)(?:\/resources\/.+)?$/, /^node:/],
  client: [/^@stagecraft\/spec(?:\/api)?$/],
  webhooks: [/^@stagecraft\/spec$/, /^undici$/, /^node:/],
  service: [
    /^@stagecraft\/(?:spec(?:\/(?:api|validate|zod))?|core(?:\/(?:run|inference))?|analysis|assistant(?:\/mcp)?|catalogs(?:\/[\w-]+)?|dbt|llm(?:\/[\w-]+)?|webhooks)$/,
    /^(?:kysely(?:\/[\w-]+)?|pg|fflate|p-limit|yaml)$/,
    /^node:/,
  ],
  http: [/^@stagecraft\/spec(?:\/(?:api|validate|zod))?$/, /^fastify$/, /^node:/],
  cli: [
    /^@stagecraft\/(?:spec(?:\/(?:api|errors|explanations|names|redact-secrets))?|core(?:\/(?:run|inference))?|analysis(?:\/report)?|assistant(?:\/mcp)?|catalogs(?:\/dbt)?|client|dashboard|dbt|demo|dialects|http|llm(?:\/[\w-]+)?|service)$/,
    /^(?:cli-progress|commander|diff|pino|prom-client|yaml)$/,
    /^node:/,
  ],
}

function sourceFiles(name: string): readonly string[] {
  return readdirSync(repositoryPath(`packages/${name}/src`), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\*).*$/gm, '')
  return [...text.matchAll(/(?:\bfrom |\bimport\(|^import )'([^'\s]+)'/gm)].map(
    ([, specifier]) => specifier ?? '',
  )
}

test.each(Object.entries(ALLOWED))('%s imports only what lies below it', (name, allowed) => {
  const wrong = sourceFiles(name).flatMap((file) =>
    importsOf(file)
      .filter(
        (specifier) => !specifier.startsWith('.') && !allowed.some((pattern) => pattern.test(specifier)),
      )
      .map(
        (specifier) =>
          `${basename(file)} imports ${specifier}: take it as a parameter, or move the file to a package that may`,
      ),
  )
  expect(wrong).toEqual([])
})

/** Returns the files of a circle of imports; undefined if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next, [...path, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return undefined
}

test.each(Object.keys(ALLOWED))('files of %s import each other in no circle, even when they run', (name) => {
  const imports = new Map(
    sourceFiles(name).map((file) => [
      file,
      importsOf(file).flatMap((specifier) => (specifier.startsWith('.') ? join(file, '..', specifier) : [])),
    ]),
  )
  const circle = findCircle(imports)?.map((file) => file.slice(file.indexOf('/src/') + 5))
  expect(circle, 'move what both need into a file of its own').toBeUndefined()
})

test('help is instant: the program loads what a command needs when it runs', () => {
  const program = repositoryPath('packages/cli/src/program.ts')
  const files = new Set([program])
  const packages = new Set<string>()
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export|\}) .*?from '([^']+)'/gm)) {
      if (specifier.startsWith('.')) files.add(join(file, '..', specifier))
      else if (!specifier.startsWith('node:')) packages.add(specifier)
    }
  }
  expect([...packages].toSorted()).toEqual(['@stagecraft/spec/errors', '@stagecraft/spec/names', 'commander'])
})

/** What is published beside the output of the compiler, or in its place. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'packages/cli': ['dist/bundle', 'stagecraft.schema.json'],
  'packages/spec': ['dist', 'vendor'],
}

test('every package says which Node it needs and how it is published', () => {
  const folders = [...Object.keys(ALLOWED).map((name) => `packages/${name}`), 'templates']
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(repositoryPath(`${folder}/package.json`), 'utf8')) as Record<
      string,
      unknown
    >
    expect(manifest).toMatchObject({
      type: 'module',
      license: 'Apache-2.0',
      engines: { node: '>=22.18' },
      files: [...(FILES[folder] ?? ['dist']), 'CHANGELOG.md'],
      publishConfig: { access: 'public' },
    })
  }
})

test('every package of the workspace has rules here', () => {
  expect(readdirSync(repositoryPath('packages')).toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})

const LONG_FOLDERS = /^test\/(?:dbt|engines)\//
/** What tests use that take long by their nature: whole services, and processes that are killed. */
const LONG_HELPERS =
  /\/(?:start-serve|start-service|kill-senders|flaky-server|scan-worker|store-process|worker-process)\.ts$/
const isLongHelper = (specifier: string): boolean => LONG_HELPERS.test(specifier)

test('tests that take long by their nature are named *.long.test.ts, so that npm test stays quick', () => {
  const files = globSync('{packages/*/src,test}/**/*.test.ts', { cwd: repositoryPath('') })
  const wrong = files
    .filter((file) => !file.endsWith('.long.test.ts'))
    .filter((file) => LONG_FOLDERS.test(file) || importsOf(repositoryPath(file)).some(isLongHelper))
  expect(wrong).toEqual([])
})

test('tests have no limits of their own below the common ones, which are for what hangs', () => {
  const files = globSync('{packages/*/src,test}/**/*.test.ts', { cwd: repositoryPath('') })
  const short = /^\s*\}, [1-5]?\d_?000\)$|\{ timeout: [1-5]?\d_?000\b|\bvi\.waitFor\(/m
  const wrong = files.filter((file) => short.test(readFileSync(repositoryPath(file), 'utf8')))
  expect(wrong).toEqual([])
})

/** A call or an assignment that changes a list, a map, a set or an object. */
const WRITE = String.raw`(?:\.(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)\(|(?:\[[^\]]+\]|\.(?!lastIndex\b)\w+)\s*(?:=(?![=>])|[-+*/|&?]{1,2}=|\+\+|--))`

function mutableState(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const variables = [...text.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name = '']) => name)
  const constants = [...text.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name = '']) => name)
  const written = constants.filter((name) => new RegExp(`(?<![\\w.])${name}${WRITE}`).test(text))
  return [...variables, ...written]
}

test('no module keeps state: tests run side by side in one process, and so do projects', () => {
  const wrong = Object.keys(ALLOWED).flatMap((name) =>
    sourceFiles(name).flatMap((file) =>
      mutableState(file).map(
        (variable) =>
          `${name}/${basename(file)} keeps state in ${variable}: make it part of what a caller creates`,
      ),
    ),
  )
  expect(wrong).toEqual([])
})

/** Asks which dialect it is, or keeps a table of them. */
const DIALECT_FACT =
  /(?<!typeof )\bdialect(?:\??\.name)?\s*[!=]==\s*'|(?:Record|Set)<\s*(?:DialectName|Dialect\['name'\])/

test('facts of a warehouse stand in its folder of packages/dialects', () => {
  const files = Object.keys(ALLOWED)
    .filter((name) => name !== 'dialects')
    .flatMap((name) => sourceFiles(name))
  const wrong = files.filter((file) => DIALECT_FACT.test(readFileSync(file, 'utf8')))
  const advice = 'asks for a dialect by name: make it a fact of `Dialect`'
  expect(wrong.map((file) => `${basename(file)} ${advice}`)).toEqual([])
})

/** Eight names of dialects one after the other, however they are separated. */
const DIALECT_LIST = new RegExp(String.raw`(?:\b(?:${DIALECT_NAMES.join('|')})\b['",|\s]+){8}`)

test('lists of all dialects are made from DIALECT_NAMES, so that a new one is in each', () => {
  const files = globSync('packages/*/{app,src}/**/*.{ts,tsx}', { cwd: repositoryPath('') })
  const wrong = files
    .filter((file) => !/\.test\.ts$|^packages\/(?:dialects\/|spec\/src\/names\.ts)/.test(file))
    .filter((file) => DIALECT_LIST.test(readFileSync(repositoryPath(file), 'utf8')))
  expect(wrong).toEqual([])
})

test('users of core have at most twenty names to know; what shells need is in core/run', () => {
  const text = readFileSync(repositoryPath('packages/core/src/index.ts'), 'utf8')
  const names = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').filter(Boolean),
  )
  expect(text).not.toMatch(/^export (?:\*|const|function|type \w|interface)/m)
  expect(names.length).toBeGreaterThan(0)
  expect(names.length).toBeLessThanOrEqual(20)
})

const QUESTION = /^(?:What|Whatever|Whether|Where|Who|Whoever|Whose|How|When|Which|Why)\b/

test('documentation comments open with a verb or name the thing, and hardly ever with a question word', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: repositoryPath('') })
  const comments = files.flatMap((file) =>
    [...readFileSync(repositoryPath(file), 'utf8').matchAll(/\/\*\*([^]*?)\*\//g)].map(([, text = '']) => ({
      file,
      text: text.replaceAll(/^\s*\*? ?/gm, '').trim(),
    })),
  )
  const asking = comments.filter(({ text }) => QUESTION.test(text))
  const shown = asking.map(({ file, text }) => `${file}: ${text.slice(0, 60)}: say "Returns…" or "The…"`)
  expect(shown.length > comments.length / 50 ? shown : []).toEqual([])
})

/** Words that a technical writer would not say, in comments and messages, with the plain ones. */
const LABOURED = {
  'amiss|naught|nought': 'wrong, nothing',
  'for ever': 'forever, without end',
  'heed(?:ed|s)?|hearken': 'follow, respect',
  'hence|whence|thereby|thereof|whereof': 'so, from it',
  'lest|whilst': 'so that … not, while',
  'midst|in its stead': 'in the middle, instead',
  whomever: 'the person who',
} as const

/** Names with a laboured verb: a program reads, prints, sends and stores. */
const LABOURED_NAME = /\b(?:announce|behind|hold|say|settle|tell|told)[A-Z]\w*|\b[a-z]\w*Told\b/g

test('comments, messages and names have plain words', () => {
  const files = globSync('packages/*/{src,app}/**/*.{ts,tsx}', { cwd: repositoryPath('') })
  const wrong = files.flatMap((file) => {
    const text = readFileSync(repositoryPath(file), 'utf8')
    const words = Object.entries(LABOURED).flatMap(([pattern, plain]) =>
      [...text.matchAll(new RegExp(`\\b(?:${pattern})\\b`, 'gi'))].map(
        ([word]) => `${file}: ${word}: say ${plain}`,
      ),
    )
    const names = [...text.matchAll(LABOURED_NAME)].map(
      ([name]) => `${file}: ${name}: name it read…, print…, send… or store…`,
    )
    return [...words, ...names]
  })
  expect(files.length).toBeGreaterThan(1000)
  expect(wrong).toEqual([])
})
