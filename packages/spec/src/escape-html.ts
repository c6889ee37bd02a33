import { escapeInvisible } from './invisible.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for elements and for attributes in quotes. Nobody vouches for names and SQL. */
export function escapeHtml(text: string): string {
  return escapeInvisible(text.toWellFormed())
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
