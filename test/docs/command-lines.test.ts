// Every `stagecraft …` on a page is a command line that the program takes: its commands, options and arguments exist.
import { type Command, CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { blocksOf, PAGES, readPage } from './pages.ts'

interface CommandLine {
  readonly place: string
  readonly words: readonly string[]
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

/** Returns the words of each command of a line, up to a redirection; also of those in quotes, as in "$(date)". */
function commandsOf(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  const quoted: string[] = []
  let end = -1
  let isOpen = true
  for (const { 0: all, 1: double, 2: single, 3: sign, 4: comment, 5: bare, index } of text.matchAll(WORD)) {
    if (comment !== undefined) break
    if (sign !== undefined) {
      isOpen = !'<>'.includes(sign) || text[index + 1] === '('
      if (isOpen) commands.push([])
      continue
    }
    if (double?.includes('$(')) quoted.push(double)
    const word = double ?? single ?? bare ?? ''
    const words = isOpen ? commands.at(-1) : undefined
    if (index === end) words?.push(`${words.pop() ?? ''}${word}`)
    else words?.push(word)
    end = index + all.length
  }
  return [...commands, ...quoted.flatMap(commandsOf)]
}

/** Begins of a command before its name: a prompt, a step of a workflow, variables. */
const BEFORE = /^(?:\$|-|run:|[A-Z_]+=.*)$/

/** Returns the words after `stagecraft`, or after what runs it in a clone; undefined for another command. */
function argumentsOf(words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex((word) => !BEFORE.test(word))
  const [name = '', ...rest] = start < 0 ? [] : words.slice(start)
  if (name === 'stagecraft') return rest
  const clone = ['run', '-s', 'stagecraft', '--']
  return name === 'npm' && clone.every((word, index) => rest[index] === word)
    ? rest.slice(clone.length)
    : undefined
}

function inBlocks(path: string): readonly CommandLine[] {
  return blocksOf(path).flatMap(({ language, line, text }) =>
    text
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .filter((one) => language !== 'text' || one.startsWith('$ '))
      .flatMap((one) => commandsOf(one).flatMap((words) => [argumentsOf(words) ?? []]))
      .filter((words) => words.length > 0)
      .map((words) => ({ place: `${path}:${line}`, words, isWhole: true })),
  )
}

function inSentences(path: string): readonly CommandLine[] {
  const page = readPage(path).replaceAll(/^( *)```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  // `<name>` and `…` stand for what the reader puts there
  return [...page.matchAll(/`stagecraft\s([^`<…]+)`/g)].map(({ 1: text = '', index }) => ({
    place: `${path}:${page.slice(0, index).split('\n').length}`,
    words: commandsOf(text)[0] ?? [],
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
function faultOf({ isWhole, place, words }: CommandLine): readonly string[] {
  try {
    parser().parse([...words], { from: 'user' })
    return []
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0 || (!isWhole && INCOMPLETE.has(error.code))) return []
    return [`${place}: stagecraft ${words.join(' ')}: ${error.message}`]
  }
}

test('the check sees what the program does not take', () => {
  const seen = (line: string): readonly boolean[] =>
    commandsOf(line)
      .flatMap((words) => [argumentsOf(words) ?? []])
      .filter((words) => words.length > 0)
      .map((words) => faultOf({ place: '', isWhole: true, words }).length === 0)
  expect(seen('stagecraft keys create --name a')).toEqual([false])
  expect(seen('stagecraft keys create a --scopes read | head # --x')).toEqual([true])
  expect(
    seen('KEY=a stagecraft tables --all && cd x && npm run -s stagecraft -- plan; stagecraft nothing'),
  ).toEqual([false, true, false])
  expect(seen('echo "$(stagecraft keys list --all)" > stagecraft')).toEqual([false])
  expect(seen('source <(stagecraft completion bush)')).toEqual([false])
  expect(seen('stagecraft() { exec stagecraft; }')).toEqual([])
})

test('pages name commands, options and arguments that exist', () => {
  const lines = PAGES.flatMap((path) => [...inBlocks(path), ...inSentences(path)])
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.flatMap(faultOf)).toEqual([])
})
