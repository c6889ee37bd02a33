// Every `stagecraft …` on a page is a command line that the program takes: its commands, options and arguments exist.
import { type Command, CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { blocksOf, PAGES, readPage } from './pages.ts'

interface CommandLine {
  readonly place: string
  readonly text: string
  /** Spans in sentences may leave out what the sentence is not about. */
  readonly isWhole: boolean
}

/** What a span in a sentence may leave out: the rest of a command, arguments, and the value of its last option. */
const INCOMPLETE: ReadonlySet<string> = new Set([
  'commander.help',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
])

/** A word of a shell, or the sign that ends a command. */
const WORD = /"((?:\\.|[^"\\])*)"|'([^']*)'|([|&;<>()])|(#(?<=(?:^|\s)#).*)|((?:\\.|[^\s|&;<>()'"\\])+)/gs

/** Returns the words of a command up to a pipe, a redirection, a comment or its end. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  let end = -1
  for (const { 0: all, 1: double, 2: single, 3: sign, 4: comment, 5: bare, index } of text.matchAll(WORD)) {
    if (sign !== undefined || comment !== undefined) break
    const word = double ?? single ?? bare ?? ''
    if (index === end) words.push(`${words.pop() ?? ''}${word}`)
    else words.push(word)
    end = index + all.length
  }
  return words
}

function inBlocks(path: string): readonly CommandLine[] {
  return blocksOf(path).flatMap(({ language, line, text }) =>
    text
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((one) => {
        const begins = /^(?:\$ |.*[(|&] ?|\s*- (?:run: )?)?(?:npm run -s stagecraft --|stagecraft) (.+)/
        const [, found] = begins.exec(one.replace(/^(?:[A-Z_]+=\S+ )+/, '')) ?? []
        const isShown = language === 'text' && !one.startsWith('$ ')
        return found === undefined || isShown
          ? []
          : [{ place: `${path}:${line}`, text: found, isWhole: true }]
      }),
  )
}

function inSentences(path: string): readonly CommandLine[] {
  const page = readPage(path).replaceAll(/^( *)```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  // `<name>` and `…` stand for what the reader puts there
  return [...page.matchAll(/`stagecraft\s([^`<…]+)`/g)].map(({ 1: text = '', index }) => ({
    place: `${path}:${page.slice(0, index).split('\n').length}`,
    text: text.replaceAll(/\s+/g, ' '),
    isWhole: false,
  }))
}

/** The program, with commands that do nothing. */
function parser(): Command {
  const program = createProgram()
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    if (command.commands.length === 0) command.action(() => undefined)
    for (const one of command.commands) quiet(one)
  }
  quiet(program)
  return program
}

/** Returns what the program has against a command line. */
function faultOf({ isWhole, place, text }: CommandLine): readonly string[] {
  try {
    parser().parse([...wordsOf(text)], { from: 'user' })
    return []
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0 || (!isWhole && INCOMPLETE.has(error.code))) return []
    return [`${place}: stagecraft ${text}: ${error.message}`]
  }
}

test('the check sees what the program does not take', () => {
  const whole = { place: '', isWhole: true }
  expect(
    ['keys create --name a', 'tables --all', 'keys create a --scopes read | head # --x', 'nothing'].flatMap(
      (text) => faultOf({ ...whole, text }).map(() => text),
    ),
  ).toEqual(['keys create --name a', 'tables --all', 'nothing'])
})

test('pages name commands, options and arguments that exist', () => {
  const lines = PAGES.flatMap((path) => [...inBlocks(path), ...inSentences(path)])
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.flatMap(faultOf)).toEqual([])
})
