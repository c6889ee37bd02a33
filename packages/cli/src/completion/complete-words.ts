import type { Argument, Command, Option } from 'commander'

/** A candidate for the word at the cursor. */
interface Candidate {
  readonly value: string
  readonly description: string
}

/** Things outside the program that a word may name. */
export type Naming = 'file' | 'folder' | 'source' | 'subject' | 'rule'

/** The candidates at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  /** Other things that the word may name. */
  readonly names: Naming | undefined
  /** The prefix of every name: `--out=` of `--out=models`. */
  readonly prefix: string
}

/**
 * Returns the candidates at the cursor.
 *
 * @param words The words after the name of the program, up to the cursor. The last one is being typed and may be
 * empty.
 */
export function completeWords(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? ''
  const line = readLine(program, words.slice(0, -1))
  if (line.awaits) return valuesOf(line.awaits, '')
  const { flag } = /^(?<flag>--[\w-]+)=/.exec(current)?.groups ?? {}
  const option = flag === undefined ? undefined : findOption(line.command, flag)
  if (option && flag !== undefined) return valuesOf(option, `${flag}=`)
  if (current.startsWith('-') && !line.isOver) return { ...NOTHING, candidates: flagsOf(line) }
  if (line.command.commands.length > 0) return { ...NOTHING, candidates: commandsOf(line.command) }
  const given = line.command.registeredArguments
  const argument = given[line.arguments] ?? (given.at(-1)?.variadic ? given.at(-1) : undefined)
  if (argument) return valuesOf(argument, '')
  return { ...NOTHING, candidates: flagsOf(line) }
}

const NOTHING: Completion = { candidates: [], names: undefined, prefix: '' }

/** The words before the cursor, as parsed by the program. */
interface Line {
  readonly command: Command
  /** Arguments so far. */
  readonly arguments: number
  /** The option that expects a value. */
  readonly awaits: Option | undefined
  /** Flags so far. */
  readonly flags: ReadonlySet<string>
  /** True after `--`, which ends the options. */
  readonly isOver: boolean
}

function readLine(program: Command, words: readonly string[]): Line {
  let command = program
  let count = 0
  let awaits: Option | undefined
  let isOver = false
  const flags = new Set<string>()
  for (const word of words) {
    if (awaits) {
      awaits = undefined
    } else if (!isOver && word === '--') {
      isOver = true
    } else if (!isOver && word.startsWith('-') && word !== '-') {
      const [flag = '', value] = word.split('=', 2)
      const option = findOption(command, flag)
      if (option) flags.add(option.long ?? flag)
      awaits = option?.required && value === undefined ? option : undefined
    } else {
      const inner = count === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (inner) command = inner
      else count += 1
    }
  }
  return { command, arguments: count, awaits, flags, isOver }
}

function findOption({ options }: Command, flag: string): Option | undefined {
  return options.find(({ long, short }) => flag === long || flag === short)
}

function flagsOf({ command, flags }: Line): readonly Candidate[] {
  const own = command.options.filter(
    ({ hidden, long, variadic }) => !hidden && (variadic || !flags.has(long ?? '')),
  )
  return [
    ...own.flatMap(({ description, long }) => (typeof long === 'string' ? { value: long, description } : [])),
    { value: '--help', description: 'display help for command' },
  ]
}

function commandsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((inner) => ({ value: inner.name(), description: inner.description() }))
}

/** Returns the values of an option or argument. */
function valuesOf(given: Option | Argument, prefix: string): Completion {
  const choices = given.argChoices ?? []
  if (choices.length > 0) {
    const candidates = choices.map((choice) => ({ value: `${prefix}${choice}`, description: '' }))
    return { candidates, names: undefined, prefix }
  }
  return { candidates: [], names: NAMES[placeholder(given)], prefix }
}

/** `dir` of `--out <dir>`, `source` of `[source...]`. */
function placeholder(given: Option | Argument): string {
  if (!('flags' in given)) return given.name()
  if (given.long === '--catalog') return 'file'
  if (given.long === '--select' || given.long === '--ignore') return 'rule'
  return /[<[]([\w-]+)/.exec(given.flags)?.[1] ?? ''
}

/** The things that arguments and values of options name, by their placeholder in help. */
const NAMES: Readonly<Record<string, Naming>> = {
  dir: 'folder',
  folder: 'folder',
  file: 'file',
  path: 'file',
  source: 'source',
  name: 'subject',
  what: 'subject',
  rule: 'rule',
}
