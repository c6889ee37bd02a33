import type { Project } from '@stagecraft/spec'
import { houseStyle } from './house-style.ts'
import type { ProjectIndex } from './project-index.ts'

export interface ToProjectOptions {
  /** The dbt version that last parsed the project. @default unknown */
  readonly installedDbtVersion?: string | undefined
  /**
   * Returns true for a file of Stagecraft, by path and SHA-256. Such a file says nothing about the style of the
   * project. @default none
   */
  readonly isOwn?: (path: string, hash: string) => boolean
}

/** Returns the facts that generated code must agree with. */
export function toProject(
  { examples, models, packages, settings }: ProjectIndex,
  { installedDbtVersion, isOwn = () => false }: ToProjectOptions = {},
): Project {
  const known = new Map(
    models.flatMap(({ documented, kind, name }) =>
      kind === 'model' ? [[name, documented?.columns.map((column) => column.name)] as const] : [],
    ),
  )
  const house = examples.filter(({ hash, path }) => !isOwn(path, hash))
  return {
    models: [...known]
      .map(([name, columns]) => ({ name, columns }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    packages,
    requireDbtVersion:
      settings.requireDbtVersion.length > 0 ? settings.requireDbtVersion.join(',') : undefined,
    installedDbtVersion,
    modelPaths: settings.modelPaths,
    snapshotPaths: settings.snapshotPaths,
    testArgumentsProperty: settings.flags['require_generic_test_arguments_property'] !== false,
    style: houseStyle(
      house.flatMap(({ renames }) => renames),
      house.flatMap(({ descriptions }) => descriptions),
    ),
  }
}
