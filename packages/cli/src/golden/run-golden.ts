import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { loadTemplates } from '@stagecraft/core'
import { createRun } from '@stagecraft/core/run'
import { type Backend, type DialectName, type LlmOptions, StagecraftError } from '@stagecraft/spec'
import { loadUserTemplates } from '../files/load-user-templates.ts'
import { makeFolder } from '../files/make-folder.ts'
import { findCases, type GoldenCase } from './golden-case.ts'
import { scripted } from '@stagecraft/llm'
import { replay } from '@stagecraft/llm/replay'
import { chooseBackend } from '../backend/choose-backend.ts'
import { openLive } from '../backend/open-backend.ts'

/** File contents by path, relative to the case's folder. */
export type GoldenFiles = Readonly<Record<string, string>>

export interface GoldenResult {
  readonly name: string
  readonly status: 'same' | 'different' | 'updated'
  /** The recorded and the actual content of differing files; undefined if a file is missing. */
  readonly differences: readonly GoldenDifference[]
}

export interface GoldenDifference {
  readonly path: string
  readonly expected: string | undefined
  readonly actual: string | undefined
}

/** Runs all cases of a folder. */
export async function runGolden(
  folder: string,
  { update }: { readonly update: boolean },
): Promise<readonly GoldenResult[]> {
  const results: GoldenResult[] = []
  for (const golden of await findCases(folder)) results.push(await runCase(golden, { update }))
  return results
}

/** Generates for a case and compares the result with the recorded one, or records it. */
export async function runCase(
  golden: GoldenCase,
  { update }: { readonly update: boolean },
): Promise<GoldenResult> {
  const expected = await readExpected(golden.folder)
  const actual = await produce(golden, { update })
  const paths = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted()
  const differences = paths
    .filter((path) => expected[path] !== actual[path])
    .map((path) => ({ path, expected: expected[path], actual: actual[path] }))
  if (differences.length === 0) return { name: golden.name, status: 'same', differences }
  if (update) await record(golden.folder, actual)
  return { name: golden.name, status: update ? 'updated' : 'different', differences }
}

/** Returns the files that a case generates, or its error as a file. */
export async function produce(golden: GoldenCase, { update = false } = {}): Promise<GoldenFiles> {
  try {
    return await generateFiles(golden, update)
  } catch (error) {
    if (!(error instanceof StagecraftError)) throw error
    const { code, details, message } = error
    return { 'error.json': toJson({ code, message, ...(details && { details }) }) }
  }
}

async function generateFiles(
  { config, configFolder, folder, input }: GoldenCase,
  update: boolean,
): Promise<GoldenFiles> {
  const { dialect = config.dialect, items, project } = input
  const templates = dialect && (await templatesOf({ config, configFolder, input, dialect }))
  const context = {
    config,
    ...(dialect && { dialect }),
    ...(project && { project }),
    ...(templates && { templates }),
  }
  const llm = await openRecordings({ config, folder, input }, { update })
  const run = createRun(items, { ...context, ...(llm && { llm }) })
  await run.edit()
  const { files, models } = run.files()
  const warned = models.filter(({ warnings }) => warnings.length > 0)
  return Object.fromEntries([
    ...files.map(({ content, path }) => [`expected/${path}`, content] as const),
    ...(warned.length > 0 ? [['expected/warnings.json', toJson(warned)] as const] : []),
  ])
}

async function templatesOf({
  config,
  configFolder,
  dialect,
  input,
}: Pick<GoldenCase, 'config' | 'configFolder' | 'input'> & { readonly dialect: DialectName }) {
  if (!input.templates)
    return loadUserTemplates(config, { dialect, folder: configFolder, environment: process.env })
  return loadTemplates(input.templates, { dialect, ...(config.preset && { preset: config.preset }) })
}

async function readExpected(folder: string): Promise<GoldenFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /^(?:expected[\\/]|error\.json$)/.test(relative(folder, file)))
  const texts = await Promise.all(
    files.map(
      async (file) => [relative(folder, file).replaceAll('\\', '/'), await readFile(file, 'utf8')] as const,
    ),
  )
  return Object.fromEntries(texts)
}

async function record(folder: string, files: GoldenFiles): Promise<void> {
  await rm(join(folder, 'expected'), { recursive: true, force: true })
  await rm(join(folder, 'error.json'), { force: true })
  for (const [path, content] of Object.entries(files)) {
    makeFolder(dirname(join(folder, path)))
    await writeFile(join(folder, path), content)
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Opens the recordings of a case whose configuration names a backend: in `recordings/` beside its input. An update
 * records the scripted answers of an invented case, or those of the backend if STAGECRAFT_LLM_MODE says so.
 */
async function openRecordings(
  { config, folder, input }: Pick<GoldenCase, 'config' | 'folder' | 'input'>,
  { update }: { readonly update: boolean },
): Promise<LlmOptions | undefined> {
  const { backend: chosen, settings } = chooseBackend({}, config.backend)
  if (!chosen) return undefined
  const recordings = join(folder, 'recordings')
  const id = chosen.name === 'replay' ? chosen.model : `${chosen.name}:${chosen.model}`
  if (chosen.model === undefined) {
    throw new StagecraftError(
      'INVALID_REQUEST',
      'backend.model: expected the model that was recorded, got nothing',
    )
  }
  const live = update ? await liveBackend(chosen, input) : undefined
  if (!live) return { ...settings, backend: replay({ folder: recordings, ...(id && { id }) }) }
  await rm(recordings, { recursive: true, force: true })
  return {
    ...settings,
    backend: replay({ folder: recordings, mode: 'record', backend: live, ...(id && { id }) }),
  }
}

async function liveBackend(
  settings: NonNullable<ReturnType<typeof chooseBackend>['backend']>,
  { answers }: GoldenCase['input'],
): Promise<Backend | undefined> {
  if (answers)
    return scripted(answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer))))
  if (process.env['STAGECRAFT_LLM_MODE'] !== 'record' || settings.name === 'replay') return undefined
  return openLive(settings.name, settings, process.env)
}
