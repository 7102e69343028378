import type { ChangePlan } from '../../changes/plan.ts'

type Steps = Pick<ChangePlan, 'summary' | 'steps'>

/** Returns true unless the title of the dialog, or of the only step, already says the summary. */
export function saysMore({ summary, steps }: Steps, title = ''): boolean {
  const only = steps.length === 1 ? steps[0]?.title : undefined
  return summary !== '' && ![title, only].some((each) => plain(each) === plain(summary))
}

/** The files whose manual edits the change refuses to lose. */
export const editedFiles = ({ steps }: Pick<Steps, 'steps'>): readonly string[] =>
  steps.flatMap(({ edited_by_hand: paths }) => paths ?? [])

/** The rows that a change writes in the panel's own store, for example "insert websites". */
export const rowTexts = ({ rows }: Pick<ChangePlan, 'rows'>): readonly string[] => [
  ...new Set(rows.map(({ write, table }) => `${write} ${table.replaceAll('_', ' ')}`)),
]

const plain = (text = '') => text.toLowerCase().replace(/\.$/, '').trim()
