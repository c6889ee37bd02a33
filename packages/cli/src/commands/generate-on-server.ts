import { type Answer, type Client, createClient } from '@stagecraft/client'
import { isKeyTest, keysNotTested } from '@stagecraft/core/run'
import { type GenerationRequest, StagecraftError, type Warning } from '@stagecraft/spec'
import { assertWritable } from '../files/make-folder.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { printRunWarnings, reportOf } from '../terminal/report.ts'
import { withInterrupt } from '../terminal/with-interrupt.ts'
import { printGeneration, reportAnswers, writeGeneration } from './deliver.ts'
import type { GenerateFlags } from './generate.ts'
import { assertServerFlags } from './server-flags.ts'

export interface ServerFlags extends GenerateFlags {
  readonly server: string
}

/** `stagecraft generate --server`: generates through a service, which has its own catalog and configuration. */
export async function generateOnServerCommand(sources: readonly string[], flags: ServerFlags): Promise<void> {
  assertServerFlags(sources, flags)
  if (flags.out !== undefined) assertWritable(flags.out, '--out')
  const client = openClient(flags.server)
  await withInterrupt(async (signal) => {
    const start = performance.now()
    const answers = await answerEach(client, { sources, flags, signal })
    const [first] = answers
    if (flags.out !== undefined && first && !(first instanceof StagecraftError)) {
      const write = { folder: flags.out, force: flags.force ?? false, start }
      await writeGeneration(toProject(first, flags), { ...write, quiet: flags.json ?? false })
    }
    if (flags.json) printAnswers(answers, { flags, start })
    else if (flags.out === undefined && first && !(first instanceof StagecraftError))
      printGeneration(toProject(first, flags), { start })
  })
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
