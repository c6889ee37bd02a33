import type { Item, Tool } from '../tool.ts'
import type { ListedKind } from '../tools/listed.ts'

/** The parts of a question that its handler uses. */
export interface ParsedQuestion {
  /** In lower case, without the names of the project. */
  readonly form: string
  /** The ids of all that it names. */
  readonly ids: readonly string[]
  /** The id of the relation or column that it is about. @default none, or several */
  readonly id?: string
  /** The rule, code or test that it names. @default none */
  readonly topic?: string
  /** The search words, without the words of the question's form. */
  readonly words: string
}

/** A question that can be computed. `‹name›` in the form stands for a name of the project. */
export interface Intent {
  /** An example of the question, shown in the list of possible questions. */
  readonly example: string
  readonly pattern: RegExp
  /**
   * The words that the intent explains. Any other word of the question has to say what is left out of the answer, or nothing. `any`
   * is for searches.
   */
  readonly words: ReadonlySet<string> | 'any'
  /** `id` is a relation or column; `topic` a rule, a code or a test; `no name` is for questions about the whole project. @default nothing */
  readonly needs?: 'id' | 'topic' | 'no name'
  /** Takes the name of a macro in place of that of a relation. @default false */
  readonly takesMacros?: true
  /** Several names ask for the items of each: `tests of a and b`. @default one name is taken */
  readonly isOfEach?: true
  readonly tool: Tool
  readonly input: (asked: ParsedQuestion) => object
  /** Selects the items that were asked for. @default all */
  readonly keeps?: (item: Item) => boolean
  /** Ranks of items, best first: those of the first rank that has any are the answer, with its note. @default all */
  readonly prefers?: readonly {
    readonly isOf: (item: Item, asked: ParsedQuestion) => boolean
    readonly note?: string
  }[]
  /** The kinds of its items, of which kinds and conditions in the question choose some. @default none can be chosen */
  readonly narrows?: readonly ListedKind[]
  /** Prints the question as understood. */
  readonly readAs: (asked: ParsedQuestion) => string
  /** The noun of the counted items, singular and plural. */
  readonly counted: readonly [one: string, many: string]
}

export function vocabulary(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

/** Words before a question that do not change it. */
const OPENERS =
  'hey|hi|hello|please|can you|could you|would you|tell me|show me|show|give me|list|find|what is|what are|the|all|all the|every|which|what'

/** Returns the pattern of whole questions: `who (owns|is the owner of) ‹name›`; `(a|b)?` may be missing. */
export function forms(...texts: readonly string[]): RegExp {
  const each = texts.map((text) => text.replaceAll(/\(([^)]*)\)\? /g, '(?:(?:$1) )?'))
  return new RegExp(`^(?:(?:${OPENERS}) )*(?:${each.join('|')})$`)
}

export function relationOf(id: string): string {
  return id.split(':')[0] ?? id
}
