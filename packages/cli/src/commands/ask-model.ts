import {
  type Answer,
  answerLine,
  askInPlace,
  conversationOf,
  openingLine,
  readTranscript,
  recordedQuestions,
  type Talk,
  talk,
  type TalkEvent,
  type TalkLimits,
  transcribing,
} from '@stagecraft/assistant'
import {
  type BackendName,
  escapeForTerminal,
  redactSecrets,
  StagecraftError,
  systemClock,
  timeSortedIds,
} from '@stagecraft/spec'
import type { BackendSettings } from '../backend/choose-backend.ts'
import { openBackend } from '../backend/open-backend.ts'
import type { ChosenProject } from '../files/choose-project.ts'
import { openView, type ViewFlags } from '../project/open-view.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { openTranscript } from '../project/transcript-file.ts'
import { paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'
import { withInterrupt } from '../terminal/with-interrupt.ts'
import { printComputed } from './print-computed.ts'

/** The options of `stagecraft ask`. */
export interface AskFlags extends ViewFlags {
  readonly json?: boolean
  readonly backend?: BackendName
  /** False for `--no-model`: rules compute the answer. */
  readonly model?: string | false
  readonly baseUrl?: string
  readonly maxTokens?: number
  readonly maxSeconds?: number
  readonly maxCost?: number
  /** The prices of a million tokens, input and output: `1/5`. */
  readonly prices?: string
  /** Continues the newest conversation of the project. */
  readonly followUp?: boolean
  /** Continues this conversation. */
  readonly conversation?: string
  /** The file of the transcript; false for none. */
  readonly transcript?: string | false
  /** A transcript to replay. */
  readonly replay?: string
}

interface ModelFlags extends AskFlags {
  readonly chosen: BackendSettings
  /** The folder of the configuration. */
  readonly folder: string
}

/** Asks a language model, which uses tools on the project, and writes the transcript. */
export async function askModel(question: string, project: ChosenProject, flags: ModelFlags): Promise<void> {
  const limits = limitsOf(flags)
  const backend = await openBackend(flags.chosen, {
    folder: flags.folder,
    refresh: false,
    environment: process.env,
  })
  const clock = systemClock
  const file = await openTranscript({
    ...flags,
    root: project.root,
    newId: () => timeSortedIds(clock).next('conv'),
  })
  const { history, seen } = conversationOf(file.before)
  const at = (): Date => new Date(clock.now())
  if (file.before.length === 0) file.write(openingLine(file.id, { at: at(), backend: backend.id }))
  file.write({ type: 'question', text: question, at: at().toISOString() })
  try {
    const result = await withInterrupt((signal) =>
      talk(question, {
        backend: transcribing(backend, file.write),
        readProject: askInPlace(openView(project, flags)),
        history,
        seen,
        limits,
        signal,
        onEvent: report,
        onFault: showFault,
      }),
    )
    file.write(answerLine(result))
    if (flags.json) printJson(result.answer, file.id)
    else {
      printAnswer(result, project.fromHere)
      const kept = file.path === undefined ? '' : `; continue with --follow-up (${file.id})`
      print(paint('dim', `${costOf(result.answer)}${kept}`))
    }
  } catch (error) {
    if (error instanceof StagecraftError)
      file.write({ type: 'failure', code: error.code, message: error.message })
    throw error
  }
}

function printJson(answer: Answer, conversation: string): void {
  print(JSON.stringify({ conversation, ...answer }, null, 2))
}

/** Replays the questions of a transcript with the recorded turns of the model on the current project. */
export async function replayTranscript(path: string, project: ChosenProject, flags: AskFlags): Promise<void> {
  const text = await readIfThere(path)
  if (text === undefined)
    throw StagecraftError.invalid({
      path: '--replay',
      expected: 'a file',
      received: `${path}, which does not exist`,
    })
  let before: Pick<Talk, 'seen'> = { seen: [] }
  for (const recorded of recordedQuestions(readTranscript(text, '--replay'))) {
    const result = await talk(recorded.question, {
      backend: recorded.backend,
      readProject: askInPlace(openView(project, flags)),
      seen: before.seen,
      onFault: showFault,
    })
    before = result
    const changed = recorded.changed()
    const isSame = recorded.answer !== undefined && essenceOf(recorded.answer) === essenceOf(result.answer)
    if (flags.json) print(JSON.stringify({ ...result.answer, isSame, changed }, null, 2))
    else {
      print(paint('bold', escapeForTerminal(recorded.question)))
      printAnswer(result, project.fromHere)
      for (const name of changed)
        print(paint('yellow', `note: ${name} returns a different result than the recorded one`))
      print(paint('dim', isSame ? 'the same answer as recorded' : 'a different answer than the recorded one'))
    }
  }
}

function essenceOf({ citations, text }: Pick<Answer, 'citations' | 'text'>): string {
  return JSON.stringify([text, citations])
}

/** @throws {StagecraftError} INVALID_REQUEST for invalid prices, and for a cost limit without prices. */
function limitsOf({ maxCost, maxSeconds, maxTokens, prices }: AskFlags): TalkLimits {
  return {
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxSeconds !== undefined && { seconds: maxSeconds }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(prices !== undefined && { prices: pricesOf(prices) }),
  }
}

function pricesOf(text: string): { readonly input: number; readonly output: number } {
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (input !== undefined && output !== undefined) return { input: Number(input), output: Number(output) }
  throw StagecraftError.invalid({
    path: '--prices',
    expected: 'the price of a million tokens read, and of a million written: 1/5',
    received: JSON.stringify(text),
  })
}

/** Prints each tool call on standard error to show progress. */
function report(event: TalkEvent): void {
  if (event.type === 'tool.started')
    process.stderr.write(
      paint('dim', `${event.name} ${escapeForTerminal(JSON.stringify(event.input) ?? '')}\n`),
    )
  if (event.type === 'tool.finished' && !event.ok)
    process.stderr.write(paint('dim', `  ${escapeForTerminal(event.summary)}\n`))
}

function showFault(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${escapeForTerminal(redactSecrets(text))}\n`)
}

/** @param prefix The path from the current folder to the project. */
function printAnswer({ answer }: Talk, prefix: string): void {
  const { citations, computed, droppedCitations, fallback, proposals, stoppedBy, text, unknown, unproven } =
    answer
  if (fallback !== undefined)
    print(paint('yellow', `the model gave no answer: ${escapeForTerminal(fallback)}`))
  if (computed) return printComputed(computed, prefix)
  print(escapeForTerminal(text))
  for (const { endLine, file, line, mark, text: cited } of citations) {
    const end = endLine === undefined ? '' : `-${endLine}`
    print(escapeForTerminal(`[${mark}] ${prefix}${file}:${line}${end}  ${cited}`))
  }
  for (const one of unknown) print(paint('yellow', `not known: ${escapeForTerminal(one)}`))
  if (unproven > 0) print(paint('yellow', `[?]: ${count(unproven, 'sentence')} without proof`))
  if (droppedCitations > 0)
    print(paint('yellow', `${count(droppedCitations, 'citation')} left out: no tool result named the place`))
  if (stoppedBy !== undefined) print(paint('yellow', `the search ended at its limit of ${stoppedBy}`))
  for (const id of proposals) print(`a proposal to review: stagecraft apply ${id}`)
}

function costOf({ backend = '', calls, usage }: Answer): string {
  const tokens = usage.input + usage.output
  const unknown = usage.incomplete ? ' or more' : ''
  return `${backend}: ${count(calls, 'look')}, ${count(usage.attempts, 'call')}, ${tokens.toLocaleString('en')} tokens${unknown}`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
