import type { ForeignKey } from '@stagecraft/spec'
import type { ProposedReference } from './inference.ts'
import type { Subject } from './read-subjects.ts'

/** Returns true if the warehouse declares these columns as a reference to any table. */
export function isDeclared({ table }: Subject, columns: readonly string[]): boolean {
  return (table.foreignKeys ?? []).some(
    (key) => key.columns.length === columns.length && key.columns.every((name) => columns.includes(name)),
  )
}

/** Returns the references that the warehouse declares between the tables. */
export function declaredReferences(subjects: readonly Subject[]): readonly ProposedReference[] {
  return subjects.flatMap(({ table }) =>
    (table.foreignKeys ?? []).flatMap(({ columns, references }): readonly ProposedReference[] => {
      const parent = findParent(references.table, table.schema, subjects)
      if (!parent) return []
      return [
        {
          child: { table, columns },
          parent: { table: parent.table, columns: references.columns },
          rule: 'declared',
          origin: 'declared',
          confidence: 1,
        },
      ]
    }),
  )
}

/** A declaration without a schema means the schema of its own table. */
function findParent(
  { name, schema }: ForeignKey['references']['table'],
  ownSchema: string | undefined,
  subjects: readonly Subject[],
): Subject | undefined {
  return subjects.find(({ table }) => table.name === name && table.schema === (schema ?? ownSchema))
}
