import type { Deprecation } from '@stagecraft/spec/api'

/** The fields of RFC 9745 and RFC 8594. */
export function deprecationHeaders({
  since,
  successor,
  sunset,
}: Deprecation): Readonly<Record<string, string>> {
  const links = ['</docs>; rel="deprecation"; type="text/html"']
  if (successor !== undefined) links.push(`<${successor}>; rel="successor-version"`)
  return {
    deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
    link: links.join(', '),
  }
}
