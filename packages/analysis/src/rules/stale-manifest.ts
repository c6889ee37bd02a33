import type { Rule } from '../rule.ts'
import { list, placeAt } from './subjects.ts'

/** Off by default: dbt writes it at every run, so it is always a little old between runs. */
export const staleManifest = {
  id: 'SC904',
  name: 'stale-manifest',
  group: 'lint',
  severity: 'info',
  isDefault: false,
  needs: ['manifest'],
  summary: 'the manifest was written before files of the project changed',
  docs: {
    why: 'Tools that read the manifest (lineage, docs, state:modified) show a project that no longer exists.',
    example: { language: 'sql', code: '-- changed after target/manifest.json was written\nselect 2 as id' },
    remedy: 'Run `dbt parse`.',
  },
  check: (project) => {
    const { index, manifest } = project
    if (!manifest || manifest.stale.length === 0) return []
    const names = manifest.stale.map(({ path, reason }) => `${path} is ${reason}`)
    return [
      {
        message: `the manifest is older than the project: ${list(names, 3)}`,
        place: placeAt(project, 'dbt_project.yml', 1),
        subject: { kind: 'project' as const, name: index.settings.name },
      },
    ]
  },
} satisfies Rule
