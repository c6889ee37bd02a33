import { printSchema } from '../files/schema-reference.ts'

/** `stagecraft schema`: prints the JSON Schema of `stagecraft.yml`. */
export function schemaCommand(): void {
  process.stdout.write(printSchema())
}
