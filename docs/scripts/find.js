const rows = [...document.querySelectorAll("#numbers tbody tr")];
const texts = rows.map(row => row.textContent.toLowerCase());
document.getElementById("find").addEventListener("input", event => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((row, i) => {
    const fits = words.every(word => texts[i].includes(word));
    row.style.display = fits ? "" : "none";
    shown += fits;
  });
  document.getElementById("shown").textContent = shown + " numbers";
});
