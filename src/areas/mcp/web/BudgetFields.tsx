import { Fieldset, NumberInput, Stack } from '@mantine/core'
import type { Budget } from '../model.ts'

const fields = [
  { name: 'calls', label: 'Calls', min: 1, max: 1_000_000 },
  { name: 'changes', label: 'Changes', min: 0, max: 1_000_000 },
  { name: 'bytes', label: 'Bytes of answers', min: 1024, max: 1_000_000_000_000 },
] as const

interface BudgetFieldsProps {
  readonly value: Budget
  readonly onChange: (budget: Budget) => void
}

/** What a key may be used for in an hour; a field that is blank sets no limit. */
export const BudgetFields = ({ value, onChange }: BudgetFieldsProps) => (
  <Fieldset legend="Budget for an hour">
    <Stack gap="xs">
      {fields.map(({ name, label, min, max }) => (
        <NumberInput
          key={name}
          label={label}
          description="Leave blank for no limit"
          min={min}
          max={max}
          allowDecimal={false}
          value={value[name] ?? ''}
          onChange={(entered) => onChange(withField(value, name, entered))}
        />
      ))}
    </Stack>
  </Fieldset>
)

/** The budget with another limit, or without it where nothing was entered. */
function withField(budget: Budget, name: keyof Budget, entered: string | number): Budget {
  const { [name]: _former, ...rest } = budget
  return entered === '' ? rest : { ...rest, [name]: Number(entered) }
}
