import { type Project, compareText } from '@stagecraft/spec'
import { isBuiltIn, listsFields } from './adapters.ts'
import { readArtifacts } from './artifacts.ts'
import { columnsOf } from './columns.ts'
import { toJson, toText } from './json.ts'
import { listRelations } from './relations.ts'

/**
 * Reads the project from the artifacts: its models with their columns, and the packages whose macros it has.
 * The artifacts do not contain `require-dbt-version` and the flags.
 *
 * @param path The same as for `dbt`.
 * @throws {StagecraftError} The same as `dbt`.
 */
export async function readDbtProject(path: string): Promise<Project> {
  const artifacts = await readArtifacts(path)
  const { adapter, dbtVersion, macros, projectName } = artifacts
  const packages = new Set(
    Object.values(macros).flatMap((macro) => toText(toJson(macro)['package_name']) ?? []),
  )
  const relations = listRelations(artifacts).filter(({ id }) => id.startsWith('model.'))
  const models = relations.map((relation) => {
    const columns = columnsOf(relation, listsFields(adapter)).map(({ name }) => name)
    return { name: relation.ref ?? relation.name, columns: columns.length > 0 ? columns : undefined }
  })
  return {
    models: models.toSorted((a, b) => compareText(a.name, b.name)),
    packages: [...packages].filter((name) => name !== projectName && !isBuiltIn(name)).toSorted(),
    requireDbtVersion: undefined,
    installedDbtVersion: dbtVersion,
    testArgumentsProperty: true,
  }
}
