/** A number of the traffic with what it counts. */
export function Fact({ value, of }: { readonly value: string; readonly of?: string }) {
  return (
    <span>
      <b>{value}</b>
      {of && ` ${of}`}
    </span>
  )
}
