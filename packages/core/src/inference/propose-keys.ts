import { endsWith, isShortFor } from './compare-words.ts'
import { ID_ENDINGS, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'

/** Columns that may identify the rows of a table, with the confidence of their names. */
export interface KeyCandidate {
  readonly columns: readonly SubjectColumn[]
  readonly rule: string
  /** The share of the rule's keys that were right, on databases with known keys. */
  readonly confidence: number
}

/** First columns of lists of codes. Their rows have to confirm it. */
const OWN_CODES: ReadonlySet<string> = new Set(['code', 'cd'])

/** Columns that count the rows of one parent. */
const LINE_NAMES: ReadonlySet<string> = new Set(
  'index idx line lineid linenumber lineno linenum linenr lineitem lineitemid number seq seqno sequence sequenceno position ordinal rank row rownumber'.split(
    ' ',
  ),
)
/** Returns true for a column that numbers the rows of one parent, by its name. */
export function isLineNumber({ words }: SubjectColumn): boolean {
  return LINE_NAMES.has(words.whole)
}

/** Columns that name the rows of one parent. */
const LABEL_NAMES: ReadonlySet<string> = new Set('key name attribute locale language languagecode'.split(' '))
/** Columns that say until when a version of a row was valid, or whether it still is. */
const END_NAMES =
  /^(?:valid|effective)(?:to|until|thru|through|end)(?:at|on|date|time|timestamp)?$|^(?:is)?(?:current|latest)(?:flag|row|record|version)?$/
const START_NAMES = /^(?:valid|effective|start|begin|from|since|changed)(?:from|at|on|date|time|timestamp)?$/

/** Endings of keys that a warehouse makes: each version of a row has its own. */
const SURROGATE_ENDINGS: ReadonlySet<string> = new Set('sk pk uuid guid gid'.split(' '))

/**
 * Returns true for a column that distinguishes the rows of a history by coincidence: the times of a version, and the id
 * of the versioned thing while each has one version.
 */
export function isPartOfVersion(column: SubjectColumn, { columns }: Subject): boolean {
  const isEnd = ({ words }: SubjectColumn): boolean => END_NAMES.test(words.whole)
  const isStart = ({ words }: SubjectColumn): boolean => START_NAMES.test(words.whole)
  if (!columns.some(isEnd) || !columns.some(isStart)) return false
  const { ending } = column.words
  const id = columns.find(({ words }) => words.ending !== '')
  return isStart(column) || isEnd(column) || (column === id && !SURROGATE_ENDINGS.has(ending))
}

/**
 * Returns single columns whose names suggest a key, best first.
 *
 * @param tables The names of all tables: a column named after another table refers to it.
 */
export function namedKeys(subject: Subject, tables: ReadonlySet<string>): readonly KeyCandidate[] {
  const found = subject.columns.flatMap((column) => {
    const named = nameKey(column, subject, tables)
    return named && column.kind !== undefined ? [{ columns: [column], ...named }] : []
  })
  return found.toSorted((a, b) => b.confidence - a.confidence)
}

function nameKey(
  column: SubjectColumn,
  subject: Subject,
  tables: ReadonlySet<string>,
): Omit<KeyCandidate, 'columns'> | undefined {
  const { ending, stem, whole } = column.words
  if (column.kind !== 'text' && /^_?(?:id|uuid|guid)$/.test(whole))
    return { rule: 'own_id', confidence: 0.95 }
  if (/^_?(?:id|uuid|guid)$/.test(whole)) return { rule: 'own_id', confidence: 0.94 }
  const isCalledSo = column.position === 0 && ending === '' && whole === subject.words.whole
  if (isCalledSo) return { rule: 'called_as_table', confidence: 0.8 }
  if (column.position === 0 && OWN_CODES.has(whole)) return { rule: 'own_code', confidence: 0.75 }
  if (ending === '' || stem.whole === '') return undefined
  const isId = ID_ENDINGS.has(ending)
  if (stem.whole === subject.words.whole) return { rule: 'table_id', confidence: isId ? 0.97 : 0.88 }
  if (column.position > 0 || tables.has(stem.whole)) return undefined
  const isTail = endsWith(subject.words.words, stem.words) && !isCalledAfterHead(subject, stem.words.length)
  if (isTail) return { rule: 'tail_of_table', confidence: isId ? 0.86 : 0.82 }
  const ends = [subject.words.whole, subject.words.words.at(-1) ?? '']
  if (isPartOfVersion(column, subject) || isOneOfTwo(column, subject)) return undefined
  // each document has several lines
  const next = subject.columns[1]
  if (next && isLineNumber(next)) return undefined
  if (ends.some((long) => isShortFor(stem.whole, long))) return { rule: 'short_for_table', confidence: 0.82 }
  return undefined
}

/** Returns true for `order_id` in `order_tags` beside `tag_id`: it is one of two references, not a short name. */
function isOneOfTwo(column: SubjectColumn, { columns, words }: Subject): boolean {
  return columns.some(
    (other) => other !== column && other.words.ending !== '' && endsWith(words.words, other.words.stem.words),
  )
}

/**
 * Returns true if another column points to the first words of the table's name: `project_employees` links two tables.
 */
function isCalledAfterHead({ columns, words }: Subject, tail: number): boolean {
  const head = words.words.slice(0, -tail).join('')
  return columns.some(
    ({ words: { ending, stem } }) => ending !== '' && stem.whole !== '' && head.endsWith(stem.whole),
  )
}

/**
 * Returns sets of columns that form a key according to the name of the table and its references: tables that link two
 * others, rows of a document, versions.
 */
export function namedCompositeKeys(
  subject: Subject,
  references: readonly ReferenceCandidate[],
): readonly KeyCandidate[] {
  const pointing = pointingColumns(references)
  return [
    ...linkKeys(subject, references, pointing),
    ...lineKeys(subject, pointing),
    ...versionKeys(subject, pointing),
  ].toSorted((a, b) => b.confidence - a.confidence)
}

function pointingColumns(references: readonly ReferenceCandidate[]): readonly SubjectColumn[] {
  return [...new Set(references.map(({ child }) => child))].toSorted((a, b) => a.position - b.position)
}

/**
 * Finds the keys of link tables: `film_actor` of films and actors, `playlist_track`, or a table that only has
 * references.
 */
function linkKeys(
  subject: Subject,
  references: readonly ReferenceCandidate[],
  pointing: readonly SubjectColumn[],
): readonly KeyCandidate[] {
  const named = references.filter(({ parent }) => mentions(subject, parent))
  const parents = [...new Set(named.map(({ parent }) => parent))]
  const pairs = parents.flatMap((parent, index) => parents.slice(index + 1).map((other) => [parent, other]))
  const spelled = pairs.filter(([a, b]) => a && b && isMadeOf(subject, a, b))
  const bridges = spelled.map((pair) => ({
    columns: columnsTo(pair, named),
    rule: 'link_by_name',
    confidence: 0.93,
  }))
  const leading = pointing.filter(({ position }, index) => position === index)
  const isBare = subject.columns.filter(({ isMoment }) => !isMoment).length === leading.length
  if (leading.length === 2 && isBare) {
    return [...bridges, { columns: leading, rule: 'link_of_all_columns', confidence: 0.9 }]
  }
  const isDetail = leading.length >= 2 && named.some(({ child }) => child === leading[0])
  return isDetail
    ? [...bridges, { columns: leading.slice(0, 2), rule: 'leading_references', confidence: 0.78 }]
    : bridges
}

function columnsTo(
  parents: readonly Subject[],
  references: readonly ReferenceCandidate[],
): readonly SubjectColumn[] {
  return parents
    .flatMap((parent) => references.find((reference) => reference.parent === parent)?.child ?? [])
    .toSorted((a, b) => a.position - b.position)
}

function mentions({ words }: Subject, parent: Subject): boolean {
  const own = words.words
  const theirs = parent.words.words
  return (
    own.length > theirs.length &&
    own.some((_, index) => own.slice(index, index + theirs.length).join('') === parent.words.whole)
  )
}

function isMadeOf({ words }: Subject, a: Subject, b: Subject): boolean {
  return [a.words.whole + b.words.whole, b.words.whole + a.words.whole].includes(words.whole)
}

/** Finds `order_id, line_number`: the first reference and a column that numbers or names its rows. */
function lineKeys(subject: Subject, pointing: readonly SubjectColumn[]): readonly KeyCandidate[] {
  const parent = pointing[0]
  if (!parent) return linesOfUnknown(subject)
  return subject.columns.flatMap((column) => {
    if (column === parent || pointing.includes(column)) return []
    const { stem, whole } = column.words
    const isTail =
      stem.words.length > 0 && endsWith(subject.words.words, stem.words) && column.words.ending !== ''
    if (isLineNumber(column) || (isTail && column.position === parent.position + 1)) {
      return [{ columns: inOrder(parent, column), rule: 'line_of_parent', confidence: 0.9 }]
    }
    const isLabel =
      LABEL_NAMES.has(whole) &&
      /attribute|tag|label|translation|property|setting|meta/.test(subject.words.whole)
    return isLabel ? [{ columns: inOrder(parent, column), rule: 'label_of_parent', confidence: 0.8 }] : []
  })
}

/** Finds `order_id, line_number` if the table of the orders is not among the others. */
function linesOfUnknown({ columns, words }: Subject): readonly KeyCandidate[] {
  const [parent] = columns
  if (!parent || !ID_ENDINGS.has(parent.words.ending) || parent.words.stem.whole === '') return []
  if (!words.whole.startsWith(parent.words.stem.whole)) return []
  return columns
    .filter(isLineNumber)
    .map((column) => ({ columns: inOrder(parent, column), rule: 'line_of_parent', confidence: 0.85 }))
}

/** Finds `employee_id, start_date` in a table that keeps versions, by its own name or those of its columns. */
function versionKeys(subject: Subject, pointing: readonly SubjectColumn[]): readonly KeyCandidate[] {
  const hasEnds = subject.columns.some(({ words }) => END_NAMES.test(words.whole))
  if (!hasEnds && !/history|version|snapshot|audit|change/.test(subject.words.whole)) return []
  const own = hasEnds ? subject.columns.find(({ words }) => words.ending !== '') : undefined
  const parent = pointing.find(({ position }) => position <= 1) ?? own
  if (!parent || parent.position > 1) return []
  return subject.columns
    .filter(({ isMoment, words }) => (isMoment || hasEnds) && START_NAMES.test(words.whole))
    .map((column) => ({ columns: inOrder(parent, column), rule: 'version_of_parent', confidence: 0.85 }))
}

function inOrder(...columns: readonly SubjectColumn[]): readonly SubjectColumn[] {
  return columns.toSorted((a, b) => a.position - b.position)
}
