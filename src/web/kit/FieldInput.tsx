import {
  Autocomplete,
  Checkbox,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { humanize } from './format.ts'
import { GroupInput, RowsInput } from './RowsInput.tsx'
import { type Field, type FieldValue, type FieldValues, normalized } from './schema-fields.ts'

export interface FieldInputProps {
  readonly field: Field
  /** The field's path, including the rows and groups around it. */
  readonly path: string
  readonly value: FieldValue
  readonly issues: Readonly<Record<string, string>>
  readonly onChange: (value: FieldValue) => void
  readonly autoComplete?: string | undefined
  readonly isFirst?: boolean
}

/** Options open next to the field, inside its dialog, not at the end of the document. */
const within = { withinPortal: false }

/** Renders the control of one field. */
export function FieldInput({
  field,
  path,
  value,
  issues,
  onChange,
  autoComplete,
  isFirst = false,
}: FieldInputProps) {
  const { label, hint, control, isRequired, hasDefault, isNullable, choices } = field
  const same = {
    name: path,
    label,
    description: hint,
    error: issues[path],
    'data-autofocus': isFirst || undefined,
  }
  if (control === 'hidden') return null
  if (control === 'rows')
    return (
      <RowsInput
        field={field}
        path={path}
        rows={value as readonly FieldValues[]}
        issues={issues}
        onChange={onChange}
        Input={FieldInput}
      />
    )
  if (control === 'group')
    return (
      <GroupInput
        field={field}
        path={path}
        values={value as FieldValues | ''}
        issues={issues}
        onChange={onChange}
        Input={FieldInput}
      />
    )
  if (control === 'switch')
    return (
      <Switch
        {...same}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (control === 'checks') return <Checks same={same} field={field} value={value} onChange={onChange} />
  if (control === 'select')
    return <SelectInput same={same} field={field} value={String(value)} onChange={onChange} />
  if (control === 'number')
    return (
      <NumberInput
        {...same}
        required={isRequired && !hasDefault && !isNullable}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : '')}
      />
    )
  if (control === 'list')
    return (
      <ListInput
        same={same}
        label={label}
        choices={choices}
        value={value}
        onChange={(next) => onChange(normalized(field, next))}
      />
    )
  return (
    <LineInput
      same={same}
      field={field}
      value={String(value)}
      autoComplete={autoComplete}
      onChange={onChange}
    />
  )
}

interface SelectInputProps {
  readonly same: object
  readonly field: Field
  readonly value: string
  readonly onChange: (value: FieldValue) => void
}

/** A required choice that has not been made yet begins with an empty option. */
function SelectInput({ same, field, value, onChange }: SelectInputProps) {
  const { choices, labels, isRequired } = field
  const none = isRequired ? 'Choose …' : 'Default'
  return (
    <NativeSelect
      {...same}
      required={isRequired && (field.first === '' || Object.keys(labels).length > 0)}
      data={[
        ...(isRequired && field.first !== '' ? [] : [{ value: '', label: none }]),
        ...choices.map((choice) => ({ value: choice, label: labels[choice] ?? humanize(choice) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ChecksProps extends Omit<SelectInputProps, 'value'> {
  readonly value: FieldValue
}

function Checks({ same, field, value, onChange }: ChecksProps) {
  return (
    <Checkbox.Group {...same} value={Array.isArray(value) ? (value as string[]) : []} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {field.choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={field.labels[choice] ?? humanize(choice)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface LineInputProps {
  readonly same: object
  readonly field: Field
  readonly value: string
  readonly autoComplete: string | undefined
  readonly onChange: (value: FieldValue) => void
}

/** A typed host name is shown as it will be stored, once the field is left. */
function LineInput({ same, field, value, autoComplete, onChange }: LineInputProps) {
  const { control, isRequired, hasDefault, isNullable, choices, rows } = field
  const text = {
    required: isRequired && !hasDefault && !isNullable,
    autoComplete: autoComplete ?? (control === 'password' ? 'new-password' : 'off'),
    autoCapitalize: 'off',
    spellCheck: false,
    value,
  } as const
  if (choices.length > 0)
    return <Autocomplete {...same} {...text} comboboxProps={within} data={[...choices]} onChange={onChange} />
  if (rows !== undefined)
    return (
      <Textarea {...same} {...text} rows={rows} onChange={(event) => onChange(event.currentTarget.value)} />
    )
  const Input = control === 'password' ? PasswordInput : TextInput
  return (
    <Input
      {...same}
      {...text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        const next = normalized(field, value)
        if (next !== value) onChange(next)
      }}
    />
  )
}

interface ListInputProps {
  readonly same: object
  readonly label: string
  readonly choices: readonly string[]
  readonly value: FieldValue
  readonly onChange: (value: readonly string[]) => void
}

function ListInput({ same, label, choices, value, onChange }: ListInputProps) {
  const isSpaced = choices.some((choice) => choice.includes(' '))
  return (
    <TagsInput
      {...same}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      splitChars={isSpaced ? [] : [',', ' ']}
      acceptValueOnBlur
      placeholder="Type and press Enter"
      comboboxProps={within}
      data={[...choices]}
      value={Array.isArray(value) ? (value as string[]) : []}
      onChange={onChange}
    />
  )
}
