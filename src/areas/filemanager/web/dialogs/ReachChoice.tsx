import { Radio, Stack } from '@mantine/core'
import type { Reach } from '../calls.ts'

const reaches: readonly { readonly value: Reach; readonly label: string }[] = [
  { value: 'itself', label: 'The selected entries only' },
  { value: 'all', label: 'Including its contents' },
  { value: 'files', label: 'The files in it only' },
  { value: 'folders', label: 'Folders only, including itself' },
]

interface ReachChoiceProps {
  readonly reach: Reach
  readonly onReach: (reach: Reach) => void
}

/** The choice of a mode's scope. */
export function ReachChoice({ reach, onReach }: ReachChoiceProps) {
  return (
    <Radio.Group
      label="Apply to"
      value={reach}
      onChange={(value) => onReach(reaches.find((each) => each.value === value)?.value ?? 'itself')}
    >
      <Stack gap={6} mt={6}>
        {reaches.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
