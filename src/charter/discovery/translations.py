"""Words of other languages for what tools act on and do: Spanish, French, German, Portuguese, Italian and Dutch.

Words that are also English words of another meaning are left out; how much each counts is `tuning.py`'s.
"""

__all__ = ["TRANSLATIONS"]

TRANSLATIONS = """
send: enviar envia envoyer envoie senden schicken sende schicke inviare invia verzenden versturen mandar |
create: crear creer cree erstellen erstelle anlegen criar creare aanmaken maken nuevo nouveau neue neuen neuer novo |
delete: borrar eliminar supprimer loschen losche entfernen apagar excluir cancellare eliminare verwijderen wissen |
list: listar auflisten elencare mostrar afficher zeigen zeige anzeigen mostrare tonen |
search: buscar busca chercher cherche suchen suche finden procurar cercare cerca zoeken trouver encontrar |
update: actualizar aktualisieren andern atualizar aggiornare modificare bijwerken wijzigen cambiar |
cancel: annuler stornieren absagen kundigen annullare annuleren cancelar anular | read: leer lesen ler leggere lezen |
add: agregar anadir ajouter ajoute hinzufugen adicionar aggiungere toevoegen |
move: mover deplacer verschieben spostare verplaatsen | copy: copiar kopieren copiare |
share: compartir partager teilen compartilhar condividere delen |
reply: responder repondre antworten rispondere beantwoorden respuesta reponse antwort |
forward: reenviar transferer weiterleiten encaminhar inoltrare doorsturen |
download: descargar telecharger herunterladen baixar scaricare | upload: subir televerser hochladen caricare |
pay: pagar payer bezahlen zahlen pagare betalen | buy: comprar acheter kaufen comprare kopen |
translate: traducir traduire ubersetzen traduzir tradurre vertalen |
convert: convertir umwandeln umrechnen convertire omzetten |
calculate: calcular calculer berechnen calcolare berekenen |
schedule: programar planifier planen agendar pianificare inplannen |
refund: reembolso reembolsar remboursement rembourser rembourse |
refund: ruckerstattung erstatten reembolsa rimborso rimborsare terugbetalen terugbetaling |
payment: pago paiement zahlung pagamento betaling |
invoice: factura facture rechnung rechnungen fatura fattura fatture factuur facturas factures |
customer: cliente clientes kunde kunden kundin clienti klant klanten |
subscription: suscripcion abonnement assinatura abbonamento | price: precio preis preco prezzo prijs |
order: pedido bestellung ordine bestelling | product: producto produit produkt produto prodotto |
card: tarjeta karte cartao carta kaart | money: dinero geld dinheiro soldi denaro argent |
email: correo courriel posta mensagem | message: mensaje nachricht messaggio bericht |
draft: borrador brouillon entwurf rascunho bozza | label: etiqueta etiquette etikett etichetta |
attachment: adjunto anhang anexo allegato bijlage | calendar: calendario calendrier kalender |
event: evento evenement termin veranstaltung gebeurtenis |
meeting: reunion besprechung treffen reuniao riunione vergadering | file: archivo fichier datei arquivo bestand |
folder: carpeta ordner cartella | document: documento dokument | spreadsheet: tableur tabelle planilha foglio hoja |
form: formulario formulaire formular formulier | user: usuario utilisateur benutzer nutzer utente gebruiker |
team: equipo equipe mannschaft squadra | channel: canal kanal canale kanaal |
comment: comentario commentaire kommentar commento opmerking | task: tarea tache aufgabe tarefa compito taak |
project: proyecto projet projekt projeto progetto | report: informe bericht relatorio rapporto | page: pagina seite |
website: sitio webseite sito | image: imagen bild imagem immagine afbeelding | video: filmpje |
music: musica musique musik muziek | weather: tiempo meteo wetter weer |
news: noticias nouvelles actualites nachrichten notizie nieuws | flight: vuelo flug voo volo vlucht |
hotel: alojamiento unterkunft alloggio | restaurant: restaurante ristorante |
recipe: receta recette rezept receita ricetta recept | book: libro buch livro boek |
address: direccion adresse endereco indirizzo adres | phone: telefono telefon telefoon | name: nombre nom naam |
date: fecha datum | time: hora heure uhrzeit | language: idioma langue sprache lingua taal | country: pais pays paese |
city: ciudad ville stadt cidade citta stad | school: escuela ecole schule escola scuola |
job: empleo trabajo emploi emprego lavoro | health: salud sante gesundheit saude salute gezondheid |
map: mapa karte plattegrond | stock: acciones aktie aktien azioni aandelen | currency: moneda wahrung moeda valuta
"""
"""An English word, and the words that mean it."""
