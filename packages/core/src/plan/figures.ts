import type { Observation } from '@stagecraft/spec'
import type { PlannedTest } from './plan.ts'
import type { Subject } from './subject.ts'

/** States how many rows were checked, and when. */
export function withFigures(
  text: string,
  { table: { observed } }: Subject,
  looked = observed?.rows ?? 0,
): Pick<PlannedTest, 'figures'> {
  if (!observed) return {}
  const sample = observed.sampled ? 'a sample of ' : ''
  const rows = `${sample}${looked.toLocaleString('en-US')} ${looked === 1 ? 'row' : 'rows'}`
  const checked = observed.on === undefined ? '' : `; checked ${observed.on}`
  return { figures: `${text.replace('{rows}', rows)}${checked}` }
}

/** Prints `1,000 distinct values, each with a parent row; checked 2026-01-31`. */
export function lookedUp(values: number, { on, sampled = false }: Partial<Observation> = {}): string {
  const sample = sampled ? 'a sample of ' : ''
  const count = `${sample}${values.toLocaleString('en-US')} distinct ${values === 1 ? 'value' : 'values'}`
  return `${count}, each with a parent row${on === undefined ? '' : `; checked ${on}`}`
}
