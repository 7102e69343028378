/** A traffic metric with its label. */
export function Fact({ value, of }: { readonly value: string; readonly of?: string }) {
  return (
    <span>
      <b>{value}</b>
      {of && ` ${of}`}
    </span>
  )
}
