/** `number`: right-aligned. `hidden`: for screen readers only. */
type Column = string | { number: string } | { hidden: string };

export const TableHead = ({ columns }: { columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) =>
        typeof column === 'string' ? (
          <th key={column} scope="col">
            {column}
          </th>
        ) : 'number' in column ? (
          <th key={column.number} scope="col" data-number>
            {column.number}
          </th>
        ) : (
          <th key={column.hidden} scope="col">
            <span className="visually-hidden">{column.hidden}</span>
          </th>
        ),
      )}
    </tr>
  </thead>
);
