import type { Condition } from './model.ts'

/** Returns a condition in words, as people read it. */
export function textOfCondition({ field, operator, value, negate }: Condition): string {
  const verb = operator.replaceAll('_', ' ')
  return `${field} ${negate ? 'not ' : ''}${verb}${value === null ? '' : ` ${value}`}`
}
