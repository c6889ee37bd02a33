const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the texts of the innermost elements of an answer by name; each name that is needed occurs only once. */
export function leavesOf(xml: string): Readonly<Record<string, string>> {
  const found = xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)
  return Object.fromEntries([...found].map(([, name = '', text = '']) => [name, decode(text)]))
}

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return Number.isNaN(code) ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(code)
    },
  )
}
