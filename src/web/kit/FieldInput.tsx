import { NativeSelect, NumberInput, PasswordInput, Switch, TagsInput, TextInput } from '@mantine/core'
import type { Field, FieldValue } from './schema-fields.ts'
import { humanize } from './format.ts'

interface FieldInputProps {
  readonly field: Field
  readonly value: FieldValue
  readonly error: string | undefined
  readonly onChange: (value: FieldValue) => void
  readonly autoComplete?: string | undefined
  readonly isFirst: boolean
}

/** Draws the control of one field. */
export function FieldInput({ field, value, error, onChange, autoComplete, isFirst }: FieldInputProps) {
  const { name, label, hint, control, isRequired, choices } = field
  const same = { name, label, description: hint, error, 'data-autofocus': isFirst || undefined }
  if (control === 'hidden') return null
  if (control === 'switch') return <Switch {...same} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  if (control === 'select')
    return (
      <NativeSelect
        {...same}
        data={choices.map((choice) => ({ value: choice, label: humanize(choice) }))}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (control === 'number')
    return (
      <NumberInput
        {...same}
        required={isRequired}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : '')}
      />
    )
  if (control === 'list')
    return (
      <TagsInput
        {...same}
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label}` }}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        placeholder="Type and press Enter"
        value={Array.isArray(value) ? [...value] : []}
        onChange={onChange}
      />
    )
  const Input = control === 'password' ? PasswordInput : TextInput
  return (
    <Input
      {...same}
      required={isRequired}
      autoComplete={autoComplete ?? (control === 'password' ? 'new-password' : 'off')}
      autoCapitalize="off"
      spellCheck={false}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
