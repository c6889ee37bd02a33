import { type Answer, type Client, createClient } from '@stagecraft/client'
import { isKeyTest, keysNotTested } from '@stagecraft/core/run'
import { diskTree, type FileChange, readText, writeChanges } from '@stagecraft/dbt'
import { type GeneratedFile, type GenerationRequest, StagecraftError, type Warning } from '@stagecraft/spec'
import { chooseOutput } from '../files/choose-project.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { count, printRunWarnings, printWarnings, reportEditing, reportOf } from '../terminal/report.ts'
import { withInterrupt } from '../terminal/with-interrupt.ts'
import { withProjectLock } from '../project/open-project.ts'
import { reportWritten } from './apply.ts'
import { printGeneration, reportAnswers } from './deliver.ts'
import type { GenerateFlags } from './generate.ts'
import { assertServerFlags } from './server-flags.ts'

export interface ServerFlags extends GenerateFlags {
  readonly server: string
}

/** `stagecraft generate --server`: generates through a service, which has its own catalog and configuration. */
export async function generateOnServerCommand(sources: readonly string[], flags: ServerFlags): Promise<void> {
  assertServerFlags(sources, flags)
  const folder = flags.out === undefined ? undefined : await chooseOutput(flags.out)
  const client = openClient(flags.server)
  await withInterrupt(async (signal) => {
    const start = performance.now()
    const answers = await answerEach(client, { sources, flags, signal })
    const [first] = answers
    const good = first instanceof StagecraftError ? undefined : first
    const written = good && folder !== undefined ? await writeNew(good.data.files, folder) : undefined
    if (flags.json) printAnswers(answers, { flags, start })
    else if (good && written) reportNew(written, { generation: toProject(good, flags), start })
    else if (good) printGeneration(toProject(good, flags), { start })
  })
}

/**
 * Writes the files of a service, all or none. It does not have the tables that a merge needs, so only new files are
 * written.
 *
 * @throws {StagecraftError} INVALID_REQUEST for files that exist with another text.
 */
function writeNew(files: readonly GeneratedFile[], folder: string): Promise<readonly FileChange[]> {
  return withProjectLock(folder, async () => {
    const tree = diskTree(folder)
    const changes = await Promise.all(
      files.map(async ({ content, path }) => ({ path, before: await readText(tree, path), after: content })),
    )
    const others = changes.filter(({ after, before }) => before !== undefined && before !== after)
    if (others.length > 0)
      throw new StagecraftError(
        'INVALID_REQUEST',
        `nothing was written: these files exist with different content, and only stagecraft without --server merges; move them away, or merge by hand:${others.map(({ path }) => `\n  ${path}`).join('')}`,
        { details: { files: others.map(({ path }) => path) } },
      )
    writeChanges(folder, changes, { command: 'generate' })
    return changes.filter(({ before }) => before === undefined)
  })
}

function reportNew(
  written: readonly FileChange[],
  { generation, start }: { readonly generation: ReturnType<typeof toProject>; readonly start: number },
): void {
  printWarnings(generation)
  reportEditing(generation.reports, { milliseconds: performance.now() - start })
  const unchanged = generation.files.length - written.length
  reportWritten(
    written,
    written.length === 0
      ? `${count(unchanged, 'file')} unchanged`
      : `applied: ${written.length} created, ${unchanged} unchanged`,
  )
}

function openClient(server: string): Client {
  const apiKey = process.env['STAGECRAFT_API_KEY']?.trim() ?? ''
  try {
    return createClient({ baseUrl: server, apiKey })
  } catch (error) {
    throw error instanceof StagecraftError ? inTermsOfTheCommand(error) : error
  }
}

const PLACES: Readonly<Record<string, string>> = { baseUrl: '--server', apiKey: 'STAGECRAFT_API_KEY' }

function inTermsOfTheCommand({ code, details }: StagecraftError): StagecraftError {
  const faults = (details?.faults ?? []).map((fault) => ({
    ...fault,
    path: PLACES[fault.path] ?? fault.path,
  }))
  const texts = faults.map(({ expected, path, received }) => `${path}: expected ${expected}, got ${received}`)
  return new StagecraftError(code, texts.join('; '), { details: { faults } })
}

interface Asked {
  readonly sources: readonly string[]
  readonly flags: GenerateFlags
  readonly signal: AbortSignal
}

/** Failures that concern a single name; any other would occur for the next name too. */
const OF_ONE_NAME: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'INVALID_SOURCE', 'GENERATION_FAILED'])

/** Requests the names one after another. A failed name has its error in place of its result. */
async function answerEach(
  client: Client,
  { flags, signal, sources }: Asked,
): Promise<readonly (Answer | StagecraftError)[]> {
  const answers: (Answer | StagecraftError)[] = []
  for (const source of sources) {
    try {
      answers.push(await client.generate(requestFor(source, flags), { signal }))
    } catch (error) {
      const isKept = sources.length > 1 && error instanceof StagecraftError && OF_ONE_NAME.has(error.code)
      if (!isKept) throw error
      answers.push(error)
    }
  }
  return answers
}

/** A service omits tests and docs by default; the command line includes them. */
function requestFor(source: string, { docs, tests, type }: GenerateFlags): GenerationRequest {
  return { type, source, options: { addTests: tests, addDocs: docs } }
}

function printAnswers(
  answers: readonly (Answer | StagecraftError)[],
  { flags, start }: { readonly flags: GenerateFlags; readonly start: number },
): void {
  const good = answers.flatMap((answer) => (answer instanceof StagecraftError ? [] : answer))
  if (flags.out === undefined) printRunWarnings(keyWarnings(good, flags))
  reportAnswers(answers, { start })
  printEnvelopes(answers, answers.length === 1)
}

function toProject(answer: Answer, flags: GenerateFlags) {
  const { data, meta } = answer
  return {
    files: data.files,
    models: [{ name: nameModel(answer), warnings: data.warnings }],
    warnings: keyWarnings([answer], flags),
    usage: meta.usage,
    reports: [reportOf({ data, meta }) ?? []].flat(),
  }
}

/** Counts the requested key tests that the service did not write. */
function keyWarnings(
  answers: readonly Answer[],
  { tests, type }: Pick<GenerateFlags, 'tests' | 'type'>,
): readonly Warning[] {
  if (!tests || type === 'snapshot') return []
  return keysNotTested(answers.filter(({ data }) => !data.tests.some(isKeyTest)).map(nameModel))
}

function nameModel({ data }: Answer): string {
  return data.files.find(({ content }) => content === data.code)?.covers[0] ?? ''
}
