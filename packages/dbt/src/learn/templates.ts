/**
 * Returns a name as a pattern, with the entity as a placeholder: `is_active_{entity}` of `is_active_division`. A raw name
 * that contains the entity itself stays as it is: `user_agent` of users says nothing of other tables.
 *
 * @param holds Whether the raw name may contain the entity, as that of the table's own key may. @default no
 */
export function withPlaceholder(given: string, stored: string, entity: string, holds?: 'own'): string {
  if (entity === '') return given
  const letters = stored.toLowerCase().replaceAll('_', '')
  if (holds === undefined && letters.startsWith(entity.replaceAll('_', ''))) return given
  const words = new RegExp(`(?<![a-z0-9])${entity}(?![a-z0-9])`)
  return given.replace(words, '{entity}')
}
