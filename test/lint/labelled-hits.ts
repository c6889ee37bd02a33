import { readFileSync } from 'node:fs'
import { repositoryPath } from '../paths.ts'

/** A hit of a rule that a person looked at. */
export interface LabelledHit {
  readonly rule: string
  /** Rules with the need `catalog` or `raw-tables` cannot find anything in files alone: no public project shows its raw tables. */
  readonly origin:
    | 'public project, read by hand'
    | 'project made by a script'
    | 'project of the repository, written to mislead the rule'
    | 'common shape of dbt projects, written by hand'
  /** The name of a public project. */
  readonly project?: string
  /** `wrong, mended`: the rule does not find it any more. */
  readonly verdict: 'right' | 'wrong' | 'wrong, mended'
  readonly reason: string
}

export function readLabelledHits(): readonly LabelledHit[] {
  return JSON.parse(
    readFileSync(repositoryPath('test/lint/labelled-hits.json'), 'utf8'),
  ) as readonly LabelledHit[]
}
