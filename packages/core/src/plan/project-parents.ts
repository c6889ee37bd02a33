import type { RunSettings } from '../config/settings.ts'
import { settingsFor } from '../config/settings.ts'
import { nameColumn } from '../naming/column-name.ts'
import type { StoredName } from '../source-name/stored-name.ts'
import type { Parent } from './parents.ts'
import { describeEntity, modelNameOf } from './subject.ts'

/**
 * The model of the user's project that stages a table, by the name that it would have here. Only columns
 * that the project documents count: a test on a column that is not there would fail.
 */
export function findProjectParent(table: StoredName, run: RunSettings): Parent | undefined {
  const name = modelNameOf(table, 'staging', run)
  const model = run.project?.models.find((other) => other.name === name)
  if (!model) return undefined
  const documented = new Map(model.columns?.map((column) => [column.toLowerCase(), column]))
  return {
    model: name,
    columnName: (stored) =>
      likelyNames(stored, table, run)
        .map((likely) => documented.get(likely.toLowerCase()))
        .find(Boolean),
    key: undefined,
    spell: (column) => column,
    familyOf: () => undefined,
    dropsRows: true, // not known, so that children may well miss a parent
  }
}

/** Returns the names under which a key column of the parent may be staged. */
function likelyNames(stored: string, table: StoredName, run: RunSettings): readonly string[] {
  const settings = settingsFor(run, table, {})
  const entity = describeEntity(table, settings)
  const { candidates } = nameColumn(
    { name: stored, ordinal: 1, family: 'integer', isMetadata: false },
    {
      entity: entity.singular,
      dialect: run.dialect,
      rules: settings.naming,
      vocabulary: settings.vocabulary,
      splits: settings.naming.splitting !== 'never',
    },
  )
  return [...candidates, stored]
}
