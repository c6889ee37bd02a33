import type { TableSettings } from '../config/settings.ts'

/** A type as YAML has it: as the warehouse spells it, unless the preset spells it another way. */
export function spellType(type: string, { dialect, preset }: TableSettings): string {
  const spelling = preset.typesAsAdapter && dialect.dbt.typeSpellings.find(([pattern]) => pattern.test(type))
  return spelling ? type.replace(spelling[0], spelling[1]) : type
}
