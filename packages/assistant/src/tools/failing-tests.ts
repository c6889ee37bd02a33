import { idOfRelation, lineOfPlace } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { type Found, isSame } from '../resources.ts'
import { type DeclaredTest, type SingularTest, singularTests, testsOf, testsReading } from '../tests.ts'

/** A column of a relation. */
export type FoundColumn = Required<Found>

interface FailingTests {
  readonly tests: readonly DeclaredTest[]
  /** The tests that may fail, and why that is not certain. */
  readonly notes: readonly string[]
}

/** Returns the tests that fail without a column, of its relation and of others, and says which may fail. */
export function failingTests(view: ProjectView, found: FoundColumn): FailingTests {
  const { column, node } = found
  const name = column.toLowerCase()
  const singular = singularTests(view, node).map((one) => ({ ...one, reading: readingOf(found, one) }))
  const files = new Set(singular.map(({ test }) => test.path))
  return {
    tests: [
      ...testsOf(view, node).filter(
        ({ column: own, names, path }) =>
          !files.has(path) && (isSame(own ?? '', column) || names?.has(name) === true),
      ),
      ...testsReading(view, node).filter(({ otherNames }) => otherNames?.has(name)),
      ...singular
        .filter(({ reading }) => reading === true)
        .map(({ structure, test }) => ({ ...test, line: lineIn(view, found, structure) ?? test.line })),
    ],
    notes: singular.flatMap(({ reading, test }) =>
      typeof reading === 'string' ? `${test.id} may read ${node.name}.${column}: ${reading}` : [],
    ),
  }
}

/** Returns true for a test that reads a column, and a reason if that is not certain. */
function readingOf(found: FoundColumn, { relations, structure, test }: SingularTest): boolean | string {
  const name = found.column.toLowerCase()
  const isNamed = test.names?.has(name) === true
  // what names the column and reads nothing else means it
  const only = relations.size <= 1
  if (structure.status === 'unread') return isNamed && (only ? true : structure.reason)
  if (readsIn(found, structure).length > 0) return true
  const isOpen = structure.unresolved.some((one) => isSame(one, name))
  if (isNamed && isOpen) return only ? true : 'the relation of a column with that name is not known'
  return isNamed && structure.unknowns.length > 0
    ? `${structure.unknowns.join(', ')} is only known when dbt runs`
    : false
}

type Read = Extract<SingularTest['structure'], { status: 'read' }>

function readsIn({ column, node }: FoundColumn, { excluded, reads }: Read): Read['reads'] {
  return [...reads, ...excluded].filter(
    (read) => isSame(read.column, column) && idOfRelation(read.relation) === node.id,
  )
}

function lineIn(
  { project }: ProjectView,
  found: FoundColumn,
  structure: SingularTest['structure'],
): number | undefined {
  const [read] = structure.status === 'read' ? readsIn(found, structure) : []
  return read && lineOfPlace(project, read.place)
}
