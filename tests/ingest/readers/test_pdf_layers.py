"""Layers that are off, and fields that stand on no page: there, but not as if everybody saw them."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.readers import read_bytes
from ingest.readers.pdf_structure import mentions
from tests.ingest.readers.files import pdf
from tests.ingest.readers.test_pdf_parts import changed


def dictionary(**entries: Any) -> Any:
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject(f"/{key}"): value for key, value in entries.items()})


def array(*values: Any) -> Any:
    from pypdf.generic import ArrayObject

    return ArrayObject(values)


def name(text: str) -> Any:
    from pypdf.generic import NameObject

    return NameObject(f"/{text}")


def words(text: str) -> Any:
    from pypdf.generic import TextStringObject

    return TextStringObject(text)


def stream(content: str, **entries: Any) -> Any:
    from pypdf.generic import DecodedStreamObject

    made = DecodedStreamObject()
    made.set_data(content.encode())
    made.update(dictionary(**entries))
    return made


def shown_at(height: int, text: str) -> str:
    return f"BT /F1 11 Tf 60 {height} Td ({text}) Tj ET"


def layered(writer: Any, state: str = "off") -> None:
    """Words on a layer "German": on the page, in a form drawn by the page, and in a form of the layer."""
    add = writer._add_object
    page = writer.pages[0]
    fonts = page["/Resources"]["/Font"]
    fonts[name("F1")] = next(iter(fonts.values()))
    german = add(dictionary(Type=name("OCG"), Name=words("German")))
    english = add(dictionary(Type=name("OCG"), Name=words("English")))
    rule = add(dictionary(Type=name("OCMD"), OCGs=array(german), P=name("AnyOn")))
    settings = {
        "off": dictionary(OFF=array(german)),
        "base": dictionary(BaseState=name("OFF"), ON=array(english)),
        "on": dictionary(ON=array(german)),
    }[state]
    writer.root_object[name("OCProperties")] = dictionary(OCGs=array(german, english), D=settings)
    form = {"Type": name("XObject"), "Subtype": name("Form"), "BBox": array(*page.mediabox)}
    inner = dictionary(Font=fonts, Properties=dictionary(L1=rule))
    both = stream(
        f"/OC /L1 BDC {shown_at(560, 'Innen 77')} EMC {shown_at(520, 'Inside 66')}", Resources=inner, **form
    )
    whole = stream(shown_at(480, "Formular 55"), Resources=dictionary(Font=fonts), OC=rule, **form)
    page[name("Resources")] = dictionary(
        Font=fonts,
        Properties=dictionary(L1=german, L2=english),
        XObject=dictionary(X1=add(both), X2=add(whole)),
    )
    page[name("Contents")] = add(
        stream(
            f"{shown_at(700, 'The pump is cold.')} /P <</MCID 0>> BDC {shown_at(660, 'Water 98')} EMC"
            f" /OC /L1 BDC {shown_at(640, 'Wasser 99')} /Span BMC EMC EMC"
            f" /OC /L2 BDC {shown_at(600, 'Steam 97')} EMC /X1 Do /X2 Do"
        )
    )


@pytest.mark.parametrize("state", ["off", "base"])
def test_words_of_hidden_layers_stand_apart_and_say_so(state: str) -> None:
    data = changed(pdf([["x"], ["Next page."]]), lambda writer: layered(writer, state))
    document = read_bytes(data, "a.pdf")
    seen, hidden = document.pages[0].text.split("\n\nHidden layer “German”:\n")
    assert " ".join(seen.split()) == "The pump is cold. Water 98 Steam 97 Inside 66"
    assert " ".join(hidden.split()) == "Wasser 99 Innen 77 Formular 55"
    assert document.pages[1].text == "Next page."


def test_layers_that_are_on_are_the_page() -> None:
    text = read_bytes(changed(pdf([["x"]]), lambda writer: layered(writer, "on")), "a.pdf").text
    assert "Wasser 99" in text
    assert "Hidden" not in text


def test_a_page_of_hidden_words_only_is_not_taken_for_a_scan() -> None:
    def hide(writer: Any) -> None:
        layered(writer)
        page = writer.pages[0]
        page[name("Contents")] = writer._add_object(stream(f"/OC /L1 BDC {shown_at(700, 'Nur hier.')} EMC"))

    document = read_bytes(changed(pdf([["x"]]), hide), "a.pdf")
    assert document.text == "Hidden layer “German”:\nNur hier."
    assert document.pages[0].quality == 1


def with_fields(writer: Any) -> None:
    from pypdf.generic import NumberObject

    add = writer._add_object
    box = {
        "Type": name("Annot"),
        "Subtype": name("Widget"),
        "Rect": array(*map(NumberObject, (60, 600, 200, 620))),
    }
    on_page = add(dictionary(T=words("place"), FT=name("Tx"), V=words("Harbour Lane"), **box))
    kid = add(dictionary(**box))
    split = add(dictionary(T=words("town"), FT=name("Tx"), V=words("Kiel"), Kids=array(kid)))
    writer.pages[0][name("Annots")] = array(on_page, kid)
    loose = add(dictionary(T=words("order"), FT=name("Tx"), V=words("4471")))
    group = add(
        dictionary(
            T=words("buyer"), Kids=array(add(dictionary(T=words("name"), FT=name("Tx"), V=words("Anna"))))
        )
    )
    secret = add(dictionary(T=words("pin"), FT=name("Tx"), V=words("0815"), Ff=NumberObject(1 << 13)))
    endless = add(dictionary(T=words("again"), FT=name("Tx")))
    endless.get_object()[name("Kids")] = array(endless)
    writer.root_object[name("AcroForm")] = dictionary(
        Fields=array(on_page, split, loose, group, secret, endless)
    )


def test_fields_that_no_page_shows_are_named_as_such() -> None:
    text = read_bytes(changed(pdf([["An order."]]), with_fields), "a.pdf").text
    seen, loose = text.split("Form fields that no page shows:\n")
    assert loose == "order: 4471\nbuyer.name: Anna"
    assert "Harbour Lane" in seen


def test_names_are_found_in_streams_of_objects() -> None:
    import zlib

    packed = zlib.compress(b"1 0 <</Type/Catalog/AcroForm 7 0 R>>")
    data = b"%%PDF-1.7 1 0 obj <</Type/ObjStm/Length %d>>stream\n%s\nendstream" % (len(packed), packed)
    assert mentions(data, b"/AcroForm")
    assert not mentions(data, b"/OCProperties")
    assert mentions(data + b"/Encrypt 9 0 R", b"/OCProperties")
    assert not mentions(b"%PDF-1.7 /ObjStm stream\nnothing", b"/AcroForm")
