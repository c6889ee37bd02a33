import type { Project } from '@stagecraft/spec'

/** A catalog of dbt artifacts also says what the project holds. */
export async function projectOfCatalog(catalogText: string): Promise<Project | undefined> {
  const path = /^dbt:(.+)$/.exec(catalogText)?.[1]
  if (path === undefined) return undefined
  const { readDbtProject } = await import('@stagecraft/catalogs/dbt')
  return readDbtProject(path)
}
