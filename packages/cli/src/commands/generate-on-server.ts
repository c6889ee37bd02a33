import { type Answer, type Client, createClient } from '@stagecraft/client'
import { type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import { assertWritable } from '../files/make-folder.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { reportOf } from '../terminal/report.ts'
import { withInterrupt } from '../terminal/with-interrupt.ts'
import { printGeneration, reportAnswers, writeGeneration } from './deliver.ts'
import type { GenerateFlags } from './generate.ts'
import { assertServerFlags } from './server-flags.ts'

export interface ServerFlags extends GenerateFlags {
  readonly server: string
}

/** `stagecraft generate --server`: as without, by a service with a catalog and a configuration of its own. */
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
      await writeGeneration(toProject(first, sources[0]), { ...write, quiet: flags.json ?? false })
    }
    if (flags.json) printAnswers(answers, { start })
    else if (flags.out === undefined && first && !(first instanceof StagecraftError))
      printGeneration(toProject(first, sources[0]), { start })
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

/** Failures that are about one name; any other would meet the next name too. */
const OF_ONE_NAME: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'INVALID_SOURCE', 'GENERATION_FAILED'])

/** Asks for one name after the other. Of several, one that fails has its error in its place. */
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

/** A service leaves tests and docs out unless they are asked for; on a terminal they are there. */
function requestFor(source: string, { docs, tests, type }: GenerateFlags): GenerationRequest {
  return { type, source, options: { addTests: tests, addDocs: docs } }
}

function printAnswers(
  answers: readonly (Answer | StagecraftError)[],
  options: { readonly start: number },
): void {
  reportAnswers(answers, options)
  printEnvelopes(answers, answers.length === 1)
}

function toProject({ data, meta }: Answer, source = '') {
  const model = data.files.find(({ content }) => content === data.code)
  return {
    files: data.files,
    models: [{ name: model?.covers[0] ?? source, warnings: data.warnings }],
    warnings: [],
    usage: meta.usage,
    reports: [reportOf({ data, meta }) ?? []].flat(),
  }
}
