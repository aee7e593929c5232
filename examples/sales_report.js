// What sells where, and what comes back, from a database that only the host can reach.
//
//   codepool run examples/sales_report.js --tools examples/tools_sqlite.py

const columns = await tools.tables();
if (!columns.orders) throw new Error(`no table of orders, only ${Object.keys(columns)}`);

const [months, products, returns] = await Promise.all([
  tools.query({
    sql: `SELECT substr(day, 1, 7) AS month, count(*) AS orders,
            round(sum(quantity * unit_price), 2) AS revenue
          FROM orders GROUP BY month ORDER BY month`,
  }),
  tools.query({
    sql: `SELECT product, sum(quantity) AS sold, round(sum(quantity * unit_price), 2) AS revenue
          FROM orders GROUP BY product ORDER BY revenue DESC`,
  }),
  tools.query({
    sql: `SELECT product, region, count(*) AS orders, sum(returned) AS returned
          FROM orders GROUP BY product, region HAVING count(*) >= ?`,
    parameters: [5],
  }),
]);

const all = returns.reduce((sum, row) => sum + row.orders, 0);
const usual = returns.reduce((sum, row) => sum + row.returned, 0) / all;

/** How many standard deviations more came back than of orders in general. */
const surprise = ({ orders, returned }) =>
  (returned - orders * usual) / Math.sqrt(orders * usual * (1 - usual));
const suspicious = returns.filter((row) => surprise(row) > 3);

// One query for each finding, all at once; their details stay in here.
const details = await Promise.all(suspicious.map(({ product, region }) =>
  tools.query({
    sql:
      "SELECT day, quantity FROM orders WHERE product = ? AND region = ? AND returned ORDER BY day",
    parameters: [product, region],
  })
));

return {
  months,
  products,
  usualReturns: `${(100 * usual).toFixed(1)}%`,
  suspicious: suspicious.map((row, index) => ({
    ...row,
    first: details[index][0].day,
    last: details[index].at(-1).day,
    pieces: details[index].reduce((sum, { quantity }) => sum + quantity, 0),
  })),
};
