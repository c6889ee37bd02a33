import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Styles text for standard error, if it is a terminal with colours (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr })
}
