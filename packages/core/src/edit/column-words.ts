function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Words of columns with free text, or that identify a person. */
const FREE_TEXT = words(`
  address addr bio body caption city comment comments company content description desc detail details
  email mail feedback filename firstname forename fullname headline ip lastname link login memo message
  msg name names nm note notes phone postcode text title tel telephone url user username remark remarks
  reply review street subject summary surname website zip
`)

/** Words of boolean columns. */
const FLAGS = words(`
  active allowed approved archived available blocked bool boolean can cancelled canceled completed
  confirmed consent default deleted disabled enabled flag flg has hidden inactive ind indicator is
  locked opt optin optout paid public published required should subscribed valid verified visible was
  yesno yn
`)

/** Returns true if a name in snake_case is that of free text. */
export function isFreeText(name: string): boolean {
  const parts = name.split('_')
  return parts.some((part) => FREE_TEXT.has(part)) && !parts.some((part) => FLAGS.has(part))
}

/** Returns true if a name in snake_case is that of a boolean. */
export function isFlag(name: string): boolean {
  return name.split('_').some((part) => FLAGS.has(part))
}
