import type { HouseStyle } from '@stagecraft/spec'
import type { PlanContext } from '../plan/subject.ts'
import { checkDescription } from './check-texts.ts'
import { cleanText } from './clean-text.ts'
import { LEGAL_NAME } from './legal-name.ts'

/** The names and descriptions of the project that pass the checks of an answer, as plain data. */
export type Examples = HouseStyle

/** Returns at most `most` examples: first those about columns of this table, then by frequency. */
export function chooseExamples({ subject }: PlanContext, most: number): Examples {
  const { descriptions = [], renames = [] } = subject.settings.project?.style ?? {}
  const own = new Set(subject.columns.map(({ name }) => name.toLowerCase()))
  const legal = renames.flatMap(([column, name]) =>
    LEGAL_NAME.test(name) ? [[cleanText(column, 128), name] as const] : [],
  )
  const half = Math.ceil(most / 2)
  return {
    renames: ownFirst(legal, own).slice(0, half),
    descriptions: ownFirst(
      descriptions.filter(([name, text]) => LEGAL_NAME.test(name) && !checkDescription(text)),
      own,
    ).slice(0, most - half),
  }
}

function ownFirst(
  pairs: readonly (readonly [string, string])[],
  own: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  const isOwn = ([column]: readonly [string, string]): boolean => own.has(column.toLowerCase())
  return [...pairs.filter(isOwn), ...pairs.filter((pair) => !isOwn(pair))]
}
